package format

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Bounds of a JSON file.
const (
	MaxFile  = 1 << 20 // bytes
	maxDepth = 32
)

// node is one JSON value.
type node struct {
	delim byte     // '{' or '['; 0 for a string, a number, a boolean and null
	text  []byte   // as written, of any but objects and lists
	keys  []string // of an object: none twice
	items []node   // of an object, a value for each key; of a list
}

// readTree reads data, which is one JSON value with space around it at most. It
// refuses what is too large or too deep, ill-formed UTF-8 and duplicate keys.
func readTree(data []byte) (node, error) {
	switch {
	case len(data) > MaxFile:
		return node{}, fieldErrorf("", "file is larger than %d bytes", MaxFile)
	case !utf8.Valid(data):
		return node{}, fieldErrorf("", "file is not valid UTF-8")
	}
	if !json.Valid(data) {
		var whole json.RawMessage
		return node{}, fieldErrorf("", "not JSON: %v", json.Unmarshal(data, &whole))
	}
	// Of the files of the contract, one block holds all keys and their values.
	pairs := min(bytes.Count(data, []byte{':'}), 4*keepBlock)
	w := walker{
		data: data, text: string(data),
		keys: make([]string, 0, 32), items: make([]node, 0, 32),
		keptKeys: make([]string, 0, pairs), keptItems: make([]node, 0, pairs),
	}
	return w.value(0)
}

// walker takes JSON apart that is known to be well-formed.
type walker struct {
	data []byte
	text string // data
	at   int    // what comes next in data

	// What has been met of the objects and lists around the current value: each
	// takes its own off the end when it is complete.
	keys  []string
	items []node

	// Where the keys and items of complete ones are put.
	keptKeys  []string
	keptItems []node
}

// keepBlock is how many keys, or items, get their memory at once.
const keepBlock = 64

// keep moves the end of a list behind what is kept already, and returns it there.
// What was returned before stays where it is.
func keep[T any](kept *[]T, list []T) []T {
	if cap(*kept)-len(*kept) < len(list) {
		*kept = make([]T, 0, max(keepBlock, len(list)))
	}
	from := len(*kept)
	*kept = append(*kept, list...)
	return (*kept)[from:len(*kept):len(*kept)]
}

// next skips space and the given separator, and returns the byte that follows.
func (w *walker) next(separator byte) byte {
	for c := w.data[w.at]; c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == separator; c = w.data[w.at] {
		w.at++
	}
	return w.data[w.at]
}

// value takes the next value.
func (w *walker) value(depth int) (node, error) {
	n := node{}
	switch w.next(':') {
	case '{':
		n.delim = '{'
	case '[':
		n.delim = '['
	default:
		n.text = w.single()
		return n, nil
	}
	if depth == maxDepth {
		return node{}, fieldErrorf("", "nested deeper than %d", maxDepth)
	}
	w.at++
	keys, items := len(w.keys), len(w.items)
	for c := w.next(','); c != '}' && c != ']'; c = w.next(',') {
		key, nth := "", len(w.items)-items
		if n.delim == '{' {
			key = w.key()
			if slices.Contains(w.keys[keys:], key) {
				return node{}, fieldErrorf(key, "the key stands twice")
			}
			w.keys = append(w.keys, key)
		}
		item, err := w.value(depth + 1)
		switch {
		case err == nil:
			w.items = append(w.items, item)
		case n.delim == '{':
			return node{}, within(key, err)
		default:
			return node{}, within(strconv.Itoa(nth), err)
		}
	}
	w.at++
	n.keys, n.items = keep(&w.keptKeys, w.keys[keys:]), keep(&w.keptItems, w.items[items:])
	w.keys, w.items = w.keys[:keys], w.items[:items]
	return n, nil
}

// key takes an object's next key.
func (w *walker) key() string {
	from := w.at
	quoted := w.single()
	if bytes.IndexByte(quoted, '\\') < 0 {
		return w.text[from+1 : w.at-1]
	}
	return text(quoted)
}

// single takes a string, a number, a boolean or null.
func (w *walker) single() []byte {
	from := w.at
	if w.data[from] != '"' {
		for w.at < len(w.data) && !endsWord(w.data[w.at]) {
			w.at++
		}
		return w.data[from:w.at]
	}
	for w.at++; w.data[w.at] != '"'; w.at++ {
		if w.data[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.data[from:w.at]
}

// endsWord tells whether c stands behind a number, a boolean or null.
func endsWord(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ']', '}':
		return true
	}
	return false
}

// text returns what a well-formed JSON string says.
func text(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic("format: a string of well-formed JSON: " + err.Error())
	}
	return s
}

// get returns the value of a key, which most often is the ith.
func (n node) get(i int, key string) (node, bool) {
	if i >= len(n.keys) || n.keys[i] != key {
		i = slices.Index(n.keys, key)
	}
	if i < 0 {
		return node{}, false
	}
	return n.items[i], true
}

func (n node) isNull() bool { return string(n.text) == "null" }

// String returns the value as a message quotes it.
func (n node) String() string {
	switch n.delim {
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return clip(n.text)
}
