package fsafe

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What an access control list says is told in the terms of modes: 0600 and
// 0700 for what is private, all bits for what is not; owner 0 is us.
const (
	uidOurs  = 0
	uidOther = 1
)

func isUs(uid uint32) bool { return uid == uidOurs }

func owner(uint32) string { return "another user" }

// wayOut tells how to close what is open to others.
func wayOut(fs.FileMode) string { return "restrict its permissions to yourself" }

func statFile(f *os.File) (Entry, error) {
	info, err := f.Stat()
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Name: filepath.Base(f.Name()), Mode: info.Mode().Type(), Size: info.Size(), ModTime: info.ModTime()}
	err = onFile(f, func(h windows.Handle) error {
		var data windows.ByHandleFileInformation
		if err := windows.GetFileInformationByHandle(h, &data); err != nil {
			return err
		}
		e.Links = uint64(data.NumberOfLinks)
		e.Dev = uint64(data.VolumeSerialNumber)
		e.Ino = uint64(data.FileIndexHigh)<<32 | uint64(data.FileIndexLow)
		e.ModTime = time.Unix(0, data.LastWriteTime.Nanoseconds())
		e.Changed = e.ModTime
		return e.readAccess(h)
	})
	return e, err
}

// readAccess sets owner and permission bits from the handle's descriptor.
func (e *Entry) readAccess(h windows.Handle) error {
	sd, err := windows.GetSecurityInfo(h, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	admitted, err := admittedSIDs()
	if err != nil {
		return err
	}
	sid, _, err := sd.Owner()
	if err != nil {
		return err
	}
	e.UID = uidOther
	if sid != nil && isAny(sid, admitted) {
		e.UID = uidOurs
	}
	private, err := closed(sd, admitted)
	if err != nil {
		return err
	}
	switch {
	case !private:
		e.Mode |= 0o777
	case e.IsDir():
		e.Mode |= 0o700
	default:
		e.Mode |= 0o600
	}
	return nil
}

// closed reports whether the list lets in no one but those admitted.
func closed(sd *windows.SECURITY_DESCRIPTOR, admitted []*windows.SID) (bool, error) {
	list, _, err := sd.DACL()
	if err != nil || list == nil { // no list: everyone
		return false, err
	}
	for i := range uint32(list.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &ace); err != nil {
			return false, err
		}
		if ace.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE {
			continue
		}
		sid := (*windows.SID)(unsafe.Pointer(&ace.SidStart))
		if ace.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE || !isAny(sid, admitted) {
			return false, nil
		}
	}
	return true, nil
}

// admittedSIDs are we, and those who come in anyway: the system, its
// administrators, and whoever creates something in a place of ours.
func admittedSIDs() ([]*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	sids := []*windows.SID{user.User.Sid}
	for _, known := range []windows.WELL_KNOWN_SID_TYPE{
		windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid,
		windows.WinCreatorOwnerSid, windows.WinCreatorOwnerRightsSid,
	} {
		sid, err := windows.CreateWellKnownSid(known)
		if err != nil {
			return nil, err
		}
		sids = append(sids, sid)
	}
	return sids, nil
}

func isAny(sid *windows.SID, of []*windows.SID) bool {
	return slices.ContainsFunc(of, sid.Equals)
}

// stat opens what it looks at, unless that is a link or another reparse point.
func (h handle) stat(name string) (Entry, error) {
	info, err := h.root.Lstat(name)
	if err != nil {
		return Entry{}, err
	}
	if t := info.Mode().Type(); t != 0 && t != fs.ModeDir {
		return Entry{Name: name, Mode: t, ModTime: info.ModTime(), Links: 1}, nil
	}
	f, err := h.same(name, info, os.O_RDONLY)
	if err != nil {
		return Entry{}, err
	}
	e, err := statFile(f)
	e.Name = name
	return e, cmp.Or(err, f.Close())
}
