package format

import (
	"encoding/json"
	"reflect"
	"strconv"
	"sync"
)

// binder is a type that takes its value from the tree.
type binder interface{ bind(n node) error }

// bind sets v from n, strictly: keys are matched exactly, unlike encoding/json,
// every key must be there, and unknown ones are ignored. Struct fields all have
// json tags.
func bind(n node, v reflect.Value) error {
	p := planOf(v.Type())
	switch {
	case p.binder:
		b, _ := reflect.TypeAssert[binder](v.Addr())
		return b.bind(n)
	case p.unmarshaler:
		if n.delim != 0 {
			return fieldErrorf("", "want a single value; got %v", n)
		}
		u, _ := reflect.TypeAssert[json.Unmarshaler](v.Addr())
		if err := u.UnmarshalJSON(n.text); err != nil {
			return fieldErrorf("", "%v", err)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return bindStruct(n, v, p.keys)
	case reflect.Map:
		return bindMap(n, v)
	case reflect.Slice:
		return bindSlice(n, v)
	default:
		return bindLeaf(n, v)
	}
}

// A plan is what bind knows of a type.
type plan struct {
	binder, unmarshaler bool
	keys                []string // of a struct, one for each field
}

// plans has a *plan for each reflect.Type that has been bound: those of the
// contract's files, which are few.
var plans sync.Map //nolint:gochecknoglobals // what follows from a type is the same for all

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan) //nolint:forcetypeassert // nothing else is in it
	}
	p := &plan{
		binder:      reflect.PointerTo(t).Implements(reflect.TypeFor[binder]()),
		unmarshaler: reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()),
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			p.keys = append(p.keys, f.Tag.Get("json"))
		}
	}
	plans.Store(t, p)
	return p
}

func bindStruct(n node, v reflect.Value, keys []string) error {
	if n.delim != '{' {
		return fieldErrorf("", "want an object; got %v", n)
	}
	for i, key := range keys {
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
	isText := n.delim == 0 && n.text[0] == '"'
	switch v.Kind() {
	case reflect.String:
		if isText {
			v.SetString(text(n.text))
			return nil
		}
	case reflect.Bool:
		if word := string(n.text); word == "true" || word == "false" {
			v.SetBool(word == "true")
			return nil
		}
	case reflect.Int64:
		if number, err := strconv.ParseInt(string(n.text), 10, 64); err == nil {
			v.SetInt(number)
			return nil
		}
	default:
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
