package pipeline

const ioctlUnread = 0x4004667f // FIONREAD, <sys/filio.h>
