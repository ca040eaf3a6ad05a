package matrixtest

// Disk is a file system that needs another kernel than this machine's.
type Disk struct {
	Name string

	// Mount mounts it at $disk for a person of the number $uid, in bash. It may use
	// the file $image for as long as the machine runs.
	Mount string

	// Cache, Store and View are what launchers say that have a cache on it, a store,
	// and a view of a project; empty where they work. A project that they write to is
	// fine on each.
	Cache, Store, View string

	Places []string // what is tried; empty: all
	Only   string   // who tries it; empty: root and the user
}

// Disks are all of them.
func Disks() []Disk {
	return []Disk{
		{Name: "vfat", Mount: made("64M", "mkfs.vfat") + `mount -o loop,uid="$uid",gid="$uid" "$image" "$disk"`, Cache: unfit, View: unfit,
			Store: "lies on vfat, which holds no layers; set XDG_STATE_HOME to a local disk"},
		{Name: "ext4 with casefold", Mount: made("64M", "mkfs.ext4 -q -O casefold") + `mount -o loop "$image" "$disk"`, Cache: unfit, View: unfit, Store: unusable},
		{Name: "xfs without ftype", Mount: made("320M", "mkfs.xfs -q -m crc=0 -n ftype=0") + `mount -o loop "$image" "$disk"`, Places: []string{"cache", "project", "home"}},
		{Name: "a used-up quota", Mount: made("320M", "mkfs.xfs -q") + `mount -o loop,uquota "$image" "$disk"; xfs_quota -x -c "limit bhard=64k $uid" "$disk"; install -d -o "$uid" "$disk/full"; as "$user" head -c 1M /dev/zero >"$disk/full/f" || :`,
			Store: "cannot ", Places: []string{"store"}, Only: "bwrapgen-test"},
		{Name: "NFS 4", Mount: served + `mount -t nfs4 127.0.0.1:/ "$disk"`, Store: "lies on nfs4, which holds no layers; set XDG_STATE_HOME to a local disk"},
		{Name: "NFS 3", Places: []string{"cache", "store"}, Only: "bwrapgen-test", Mount: served + `mount -t nfs -o vers=3,nolock 127.0.0.1:/srv "$disk"`, Store: "lies on nfs, which holds no layers; set XDG_STATE_HOME to a local disk"},
		{Name: "9p", Mount: `mount -t 9p -o trans=virtio,version=9p2000.L share "$disk"`, Store: "lies on 9p, which holds no layers; set XDG_STATE_HOME to a local disk"},
	}
}

const (
	unfit    = "its file system is unfit (as vfat is)"
	unusable = "cannot be used: its file system is full, or holds no layers"

	served = `exportfs -o rw,fsid=0,no_root_squash,insecure,no_subtree_check 127.0.0.1:/srv; `
)

func made(size, program string) string {
	return `[[ -e $image ]] || { truncate -s ` + size + ` "$image" && ` + program + ` "$image"; }; `
}

// Tried are the places of something on a disk, with the launchers that are started
// there.
func (d Disk) Tried() map[string][]string {
	all := map[string][]string{
		"cache":   {"default", "keep"},
		"store":   {"disk", "keep", "review"},
		"project": {"default", "review"},
		"home":    {"default"},
	}
	if len(d.Places) == 0 {
		return all
	}
	some := map[string][]string{}
	for _, p := range d.Places {
		some[p] = all[p]
	}
	return some
}

// Refusal is what a launcher says at a place, or nothing.
func (d Disk) Refusal(place, launcher string) string {
	switch {
	case place == "store":
		return d.Store
	case place == "cache" || place == "home":
		return d.Cache
	case launcher == "review":
		return d.View
	}
	return ""
}

// Users are who starts launchers on it.
func (d Disk) Users() string {
	if d.Only != "" {
		return d.Only
	}
	return "root bwrapgen-test"
}
