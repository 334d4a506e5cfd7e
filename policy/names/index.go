// Package names finds the entry of a list that matches a host name at a cost
// that does not grow with the list: exact names by hash, wildcards by walking
// the name's own suffixes.
package names

import "sixways/policy/document"

// Entry is one entry of a list.
type Entry struct {
	document.Position
	// Text is the entry as written, cut short for messages.
	Text string
	// Order is its place in the list, from 0.
	Order int
	// Port is the one that the entry is for, 0 for any.
	Port uint16
}

// Index holds the entries of a list. The zero Index is empty. It may be read
// from many goroutines once it is built.
type Index struct {
	exact, below map[key]Entry
	all          map[uint16]Entry // entries that match every name, by port
}

// key is a name with a port; port 0 stands for every port.
type key struct {
	name string
	port uint16
}

// AddExact adds an entry for a name, at a port or, where that is 0, at any.
// Nothing is folded: the caller gives the name as its enforcer compares it.
func (x *Index) AddExact(name string, port uint16, e Entry) { add(&x.exact, key{name, port}, e) }

// AddBelow adds an entry for every name that ends in "." and the parent.
func (x *Index) AddBelow(parent string, port uint16, e Entry) { add(&x.below, key{parent, port}, e) }

// AddAll adds an entry for everything.
func (x *Index) AddAll(port uint16, e Entry) { add(&x.all, port, e) }

// add keeps the first entry of those that say the same.
func add[K comparable](m *map[K]Entry, k K, e Entry) {
	if *m == nil {
		*m = map[K]Entry{}
	}
	if _, known := (*m)[k]; !known {
		(*m)[k] = e
	}
}

// Find returns the first entry in list order that matches a name at a port.
// Wild says whether wildcards below a parent may match, which they must not for
// an address.
func (x *Index) Find(name string, port uint16, wild bool) (Entry, bool) {
	var f finder
	look(&f, x.exact, key{name, port}, key{name, 0})
	look(&f, x.all, port, 0)
	if wild && len(x.below) > 0 {
		for i := range len(name) {
			if name[i] == '.' {
				look(&f, x.below, key{name[i+1:], port}, key{name[i+1:], 0})
			}
		}
	}
	return f.entry, f.found
}

// finder keeps the entry that stands first.
type finder struct {
	entry Entry
	found bool
}

func look[K comparable](f *finder, m map[K]Entry, keys ...K) {
	for _, k := range keys {
		if e, ok := m[k]; ok && (!f.found || e.Order < f.entry.Order) {
			f.entry, f.found = e, true
		}
	}
}

// Len returns how many different entries the index holds.
func (x *Index) Len() int { return len(x.exact) + len(x.below) + len(x.all) }
