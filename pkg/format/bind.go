package format

import (
	"encoding/json"
	"reflect"
	"strconv"
)

// binder is a type that takes its value from the tree.
type binder interface{ bind(n node) error }

// bind sets v from n, strictly: keys are matched exactly, unlike encoding/json,
// every key must be there, and unknown ones are ignored. Struct fields all have
// json tags.
func bind(n node, v reflect.Value) error {
	if b, ok := reflect.TypeAssert[binder](v.Addr()); ok {
		return b.bind(n)
	}
	if u, ok := reflect.TypeAssert[json.Unmarshaler](v.Addr()); ok {
		if n.delim != 0 {
			return fieldErrorf("", "want a single value; got %v", n)
		}
		if err := u.UnmarshalJSON(n.text); err != nil {
			return fieldErrorf("", "%v", err)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return bindStruct(n, v)
	case reflect.Map:
		return bindMap(n, v)
	case reflect.Slice:
		return bindSlice(n, v)
	default:
		return bindLeaf(n, v)
	}
}

func bindStruct(n node, v reflect.Value) error {
	if n.delim != '{' {
		return fieldErrorf("", "want an object; got %v", n)
	}
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("json")
		item, ok := n.get(i, key)
		if !ok {
			return fieldErrorf(key, "the key is missing")
		}
		if err := bind(item, v.Field(i)); err != nil {
			return within(key, err)
		}
	}
	return nil
}

func bindMap(n node, v reflect.Value) error {
	if n.delim != '{' {
		return fieldErrorf("", "want an object; got %v", n)
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(n.keys)))
	for i, key := range n.keys {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := bind(n.items[i], elem); err != nil {
			return within(key, err)
		}
		v.SetMapIndex(reflect.ValueOf(key), elem)
	}
	return nil
}

func bindSlice(n node, v reflect.Value) error {
	if n.delim != '[' {
		return fieldErrorf("", "want a list; got %v", n)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
	for i, item := range n.items {
		if err := bind(item, v.Index(i)); err != nil {
			return within(strconv.Itoa(i), err)
		}
	}
	return nil
}

// bindLeaf sets a string, a whole number or a boolean.
func bindLeaf(n node, v reflect.Value) error {
	if n.isNull() {
		return fieldErrorf("", "must not be null")
	}
	word := string(n.text)
	isText := n.delim == 0 && n.text[0] == '"'
	switch number, err := strconv.ParseInt(word, 10, 64); {
	case v.Kind() == reflect.String && isText:
		v.SetString(text(n.text))
		return nil
	case v.Kind() == reflect.Bool && (word == "true" || word == "false"):
		v.SetBool(word == "true")
		return nil
	case v.Kind() == reflect.Int64 && err == nil:
		v.SetInt(number)
		return nil
	}
	return fieldErrorf("", "want a %s; got %v", kindName(v), n)
}

func kindName(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int64:
		return "whole number"
	default:
		return "string"
	}
}

// bind reads the value strictly, or null.
func (o *Opt[T]) bind(n node) error {
	*o = Opt[T]{}
	if n.isNull() {
		return nil
	}
	o.ok = true
	return bind(n, reflect.ValueOf(&o.v).Elem())
}
