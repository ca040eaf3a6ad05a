package main

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"bwrapgen/gen/profile"
)

func TestDocument(t *testing.T) {
	type inner struct {
		Path string
		None *int
	}
	type outer struct {
		CPUTime  time.Duration
		Network  profile.NetworkMode
		Inner    inner
		List     []inner
		Silent   bool
		Base     profile.FilesystemBase
		Says     map[string]string
		internal int
	}
	v := outer{CPUTime: 90 * time.Second, Network: profile.NetworkNone, Inner: inner{Path: "<a>"}, List: []inner{{Path: "b"}}, Says: map[string]string{"K": "v"}, internal: 1}
	got, err := json.Marshal(document(reflect.ValueOf(v)))
	const want = `{"cpu-time":"1m30s","network":"none","inner":{"path":"\u003ca\u003e"},"list":[{"path":"b"}],"base":"select","says":{"K":"v"}}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

func TestKebab(t *testing.T) {
	for name, want := range map[string]string{"Name": "name", "CPUTime": "cpu-time", "KillAfter": "kill-after", "OpenFiles": "open-files", "ID": "id"} {
		if got := kebab(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
