package gen

import (
	"reflect"
	"testing"

	"bwrapgen/gen/bash"
)

// TestViewHoldsNoText walks the type of all that templates see. A text could
// be printed without having been quoted; a word, a name and a comment cannot.
func TestViewHoldsNoText(t *testing.T) {
	w := walker{t: t, seen: map[reflect.Type]bool{}}
	w.walk("view", reflect.TypeFor[view]())
	for _, quoted := range quotedTypes() {
		if !w.seen[quoted] {
			t.Errorf("the view holds no %v: the walk has lost its way", quoted)
		}
	}
}

// quotedTypes are those that only their own package can make.
func quotedTypes() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[bash.Word](), reflect.TypeFor[bash.Name](), reflect.TypeFor[bash.Comment]()}
}

type walker struct {
	t    *testing.T
	seen map[reflect.Type]bool
}

func (w walker) walk(path string, typ reflect.Type) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	for _, quoted := range quotedTypes() {
		if typ == quoted {
			return
		}
	}
	switch typ.Kind() {
	case reflect.Bool, reflect.Int:
	case reflect.Struct:
		for i := range typ.NumField() {
			w.walk(path+"."+typ.Field(i).Name, typ.Field(i).Type)
		}
	case reflect.Slice, reflect.Pointer:
		w.walk(path+"[]", typ.Elem())
	default:
		w.t.Errorf("%s is a %v: make it a bash.Word", path, typ)
	}
}
