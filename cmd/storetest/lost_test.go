package storetest

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What is told here would lose something of the host's, or of the store's, without
// a word.

// TestApplyClosed has directories and files in the view that even their owner may
// not read: what is in them is listed, shown and applied, and what the host has
// there stays.
func TestApplyClosed(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("mkdir code/p/d; echo a >code/p/d/a; echo old >code/p/f"))
		b.must(b.inside("umask 022; mkdir z; echo n >z/n; chmod 0 z; echo m >d/m; chmod 0 d; echo new >f; chmod 0 f"))
		status := b.must(b.sandbox("--sandbox-status"))
		for _, want := range []string{"added     " + b.Project + "/z/n\n", "added     " + b.Project + "/d/m\n", "mode      " + b.Project + "/d\n"} {
			if !strings.Contains(status, want) {
				b.Errorf("status says no %q:\n%s", want, status)
			}
		}
		if strings.Contains(status, "deleted") {
			b.Errorf("nothing was deleted:\n%s", status)
		}
		if diff := b.must(b.sandbox("--sandbox-diff")); !strings.Contains(diff, "\n-old\n+new\n") || !strings.Contains(diff, "\n+m") {
			b.Errorf("the diff:\n%s", diff)
		}
		if r := b.inside("true"); r.Status != 0 || r.Stderr != "" {
			b.Errorf("the next run: %+v", r)
		}
		b.must(b.sandbox("--sandbox-apply"))
		b.same("modes", b.must(b.host("cd code/p; stat -c '%a %n' d f z")), "0 d\n0 f\n0 z")
		b.same("the host", b.must(b.host("cd code/p; chmod 700 d f z; cat d/a d/m f z/n")), "a\nm\nnew\nn")
	})
}

// TestApplyConfined has a host that gives bwrap's command no capabilities, as
// AppArmor can: what is closed then is named, and neither applied nor dropped.
func TestApplyConfined(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		path := b.Path()
		b.put("bin/bwrap", "#!/bin/bash\nwords=(\"$@\")\nfor i in \"${!words[@]}\"; do [[ ${words[i]} != --cap-add ]] || words[i]=--cap-drop words[i+1]=ALL; done\nexec "+b.Bwrap+"/bwrap \"${words[@]}\"\n")
		b.must(b.host("chmod 755 bin/bwrap; mkdir code/p/d; echo a >code/p/d/a"))
		b.must(b.inside("mkdir z; echo n >z/n; chmod 0 z; echo m >d/m; chmod 0 d; echo f >f"))
		b.Set("PATH=" + b.Home + "/bin:" + path)
		r := b.sandbox("--sandbox-apply")
		if r.Status != 1 || !strings.Contains(r.Stderr, "/p/z: it cannot be read") || !strings.Contains(r.Stderr, "/p/d: it cannot be read") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cd code/p; ls; cat d/a f")), "d\nf\ngo.mod\na\nf")
		b.Set("PATH=" + path)
		b.must(b.sandbox("--sandbox-apply"))
		b.same("not confined", b.must(b.host("cd code/p; chmod 700 d z; cat d/a d/m z/n")), "a\nm\nn")
	})
}

// TestKeepClosed has the command close the project itself: the store begins no
// sooner for that, and what the host has changed since is not overwritten.
func TestKeepClosed(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("echo old >code/p/f"))
		b.must(b.inside("echo new >f; chmod 0300 ."))
		b.must(b.host("echo host >code/p/f"))
		b.must(b.inside("true"))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || !strings.Contains(r.Stderr, "/f") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cat code/p/f")), "host")
	})
}

// TestApplyMoved has the host move what is older than the store to where the
// command has removed or changed something. The control is left alone.
func TestApplyMoved(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host(`cd code/p; mkdir gone into other d free free/x; echo g >gone/g; echo i >into/i; echo o >other/o; echo old >d/f; echo x >free/x/f
			mkdir ~/kept ~/new; echo kept >~/kept/f; echo another one >~/new/f`))
		b.must(b.inside("rm -r gone free; rm -r into; echo file >into; echo changed >d/f; rm other/o"))
		b.must(b.host(`cd code/p; mv ~/kept gone/kept; cp -a gone/kept ~/kept; mv ~/kept into/kept
			mv d ~/d; cp -a ~/new d; touch -d '2001-01-01' ~/new/f; mv other ~/other; mv ~/new other; mv other/f other/o`))
		r := b.sandbox("--sandbox-apply")
		for _, name := range []string{"/gone:", "/into:", "/d/f:", "/other/o:"} {
			if !strings.Contains(r.Stderr, name) {
				b.Errorf("%s is not named: %s", name, r.Stderr)
			}
		}
		b.same("the host", b.must(b.host("cd code/p; cat gone/kept/f into/kept/f d/f other/o; ls")), "kept\nkept\nanother one\nanother one\nd\ngo.mod\ngone\ninto\nother")
	})
}

// TestApplyAnew has the command make a directory anew, and the host put another one
// in its place, which is older than the store: what is in that stays. The file
// system tells them apart by when they were made, if it keeps that.
func TestApplyAnew(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host(`cd code/p; mkdir d e; echo n >d/n; echo n >e/n; for _ in {1..99}; do
			rm -rf ~/old; mkdir ~/old; echo n >~/old/n; echo precious >~/old/f; [ "$(stat -c %.9W d)" = "$(stat -c %.9W ~/old)" ] || break; sleep 0.01; done`))
		if b.must(b.host("stat -c %W old")) == "0" {
			return // it does not
		}
		b.must(b.inside("for d in d e; do rm -r $d; mkdir $d; echo m >$d/n; done; echo new >d/new"))
		b.must(b.host("cd code/p; rm -r d; mv ~/old d"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 1 || !strings.Contains(r.Stderr, "/d/f:") || !strings.Contains(r.Stderr, "/d/n:") || strings.Contains(r.Stderr, "/e") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cd code/p; cat d/f d/n d/new e/n")), "precious\nn\nnew\nm")
	})
}

// TestApplyAmong has the host move a directory, which is older than the store, to
// where the command has made one of the same name: what is in it stays. What the
// host lacks there is the control.
func TestApplyAmong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ profile, at string }{
		{reviewed, "code/p"},
		{"filesystem.overlay = [\"~/data\"]\n", "data"},
	} {
		newest(t, c.profile, func(b *bench) {
			b.must(b.host("mkdir -p " + c.at + "/had data old old/sub; echo f >" + c.at + "/had/f; echo precious | tee old/f old/sub/f"))
			b.must(b.inside("cd ~/" + c.at + "; mkdir -p made/sub; echo new | tee made/f made/sub/f made/new had/f had/new"))
			b.must(b.host("mv old " + c.at + "/made; echo x >" + c.at + "/had/x"))
			b.must(b.inside("true"))
			for range 2 {
				r := b.sandbox("--sandbox-apply")
				if r.Status != 1 || !strings.Contains(r.Stderr, "/made/f:") || !strings.Contains(r.Stderr, "/made/sub/f:") || strings.Contains(r.Stderr, "/had/f") {
					b.Errorf("%+v", r)
				}
			}
			b.same("the host", b.must(b.host("cd "+c.at+"; cat made/f made/sub/f made/new had/f had/new had/x")), "precious\nprecious\nnew\nnew\nnew\nx")
		})
	}
}

// TestApplySwapped has the host swap two directories that were made at once: what
// tells them apart then is the number of the file system.
func TestApplySwapped(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host(`cd code/p; for _ in {1..99}; do
			rm -rf d ~/old; mkdir d ~/old; [ "$(stat -c %.9W d)" != "$(stat -c %.9W ~/old)" ] || break; done
			echo n >d/n; echo precious >~/old/f`))
		b.must(b.inside("echo new >d/f; echo new >f"))
		b.must(b.host("cd code/p; mv d ~/d; mv ~/old d"))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || strings.Count(r.Stderr, "not applied") != 1 || !strings.Contains(r.Stderr, "/d/f:") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cat code/p/d/f code/p/f")), "precious\nnew")
	})
}

// TestApplyRoot has the host put another directory, which is older than the store,
// in the place of the one that the overlay was made of.
func TestApplyRoot(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("mkdir p; cp -a code/p/.git code/p/go.mod p; echo precious >p/f"))
		b.must(b.inside("echo new | tee f g"))
		b.must(b.host("mv code/p code/q; mv p code/p"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 1 || strings.Count(r.Stderr, "not applied") != 1 {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cat code/p/f code/p/g")), "precious\nnew")
	})
}

// TestApplyMode has the host change who may look into a directory, in which the
// command has changed something else. A mode of the command's own is the control.
func TestApplyMode(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir d e g; chmod 755 d e g; echo a | tee d/a e/a g/a"))
		b.must(b.inside("echo b >d/a; echo b >e/a; chmod 700 e; echo b >g/a"))
		b.must(b.host("chmod 700 code/p/d"))
		b.must(b.sandbox("--sandbox-apply", "e/a"))
		for range 2 { // once without what is in it
			r := b.sandbox("--sandbox-apply")
			if r.Status != 1 || strings.Count(r.Stderr, "not applied") != 1 || !strings.Contains(r.Stderr, "/p/d:") {
				b.Errorf("%+v", r)
			}
		}
		b.same("the host", b.must(b.host("cd code/p; cat d/a e/a; stat -c %a d e g")), "b\nb\n700\n700\n755")
		b.must(b.inside("echo c >g/a"))
		b.must(b.host("chmod 500 code/p/g; chmod 700 code/p/g"))
		if r := b.sandbox("--sandbox-apply"); !strings.Contains(r.Stderr, "/p/g:") {
			b.Errorf("after an application: %+v", r)
		}
		b.same("after an application", b.must(b.host("cd code/p; cat g/a; stat -c %a g")), "c\n700")
		b.must(b.host("chmod 755 code/p/d code/p/g"))
		b.must(b.sandbox("--sandbox-apply"))
		// What an application closes is no change of the host's.
		b.must(b.inside("mkdir r; echo r >r/a; chmod 555 r; echo >left"))
		b.must(b.sandbox("--sandbox-apply", "r"))
		b.must(b.inside("chmod 700 r"))
		b.must(b.sandbox("--sandbox-apply", "r"))
		b.same("closed and opened", b.must(b.host("stat -c %a code/p/r")), "700")
	})
}

// TestApplyAttributes has files with attributes of the user's own, as desktops and
// synchronizers note something in: they stay where what the files hold changes.
func TestApplyAttributes(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; echo old | tee f m"))
		for _, name := range []string{"f", "m"} {
			if err := unix.Setxattr(filepath.Join(b.Project, name), "user.note", []byte("precious"), 0); err != nil {
				b.Skip(err) // the file system has none
			}
		}
		b.must(b.inside("echo new >>f; chmod 600 m; echo n >n"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cd code/p; cat f n; stat -c %a m")), "old\nnew\nn\n600")
		for _, name := range []string{"f", "m"} {
			value := make([]byte, 99)
			if n, err := unix.Getxattr(filepath.Join(b.Project, name), "user.note", value); err != nil || string(value[:n]) != "precious" {
				b.Errorf("%s has lost its attribute: %v", name, err)
			}
		}
	})
}

// TestApplyBehindLink has the command put a directory in the place of a link to
// one: what is in it is new, also what is the same as what the link led to.
func TestApplyBehindLink(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir -p d/s; echo a >d/a; echo x >d/s/x; echo y >d/s/y; ln -s d l"))
		b.must(b.inside("rm l; cp -r d l; rm l/s/x; chmod 700 l/a; echo more >l/c"))
		if status := b.must(b.sandbox("--sandbox-status")); strings.Contains(status, "deleted") || strings.Contains(status, "touched") {
			b.Errorf("nothing was deleted, or only touched:\n%s", status)
		}
		b.sandbox("--sandbox-apply").Expect(b.T, "in the place of a link", 1, "")
		b.same("the link", b.must(b.host("readlink code/p/l; rm code/p/l")), "d")
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cd code/p; find d l -type f | sort; cat l/a l/c l/s/y; stat -c %a l/a")), "d/a\nd/s/x\nd/s/y\nl/a\nl/c\nl/s/y\na\nmore\ny\n700")
		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, "changes in "+b.Project+": 0, ") {
			b.Errorf("afterwards:\n%s", status)
		}
	})
}

// TestApplyTwice applies a part, and later that the whole was removed: what an
// application itself has changed is no change of the host's.
func TestApplyTwice(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir -p d/e; echo a >d/a; echo b >d/e/b; echo c >d/e/c"))
		b.must(b.inside("echo A >d/a; rm d/e/b; mkdir d/n; echo n >d/n/n"))
		b.must(b.sandbox("--sandbox-apply", "d/a", "d/e"))
		b.must(b.sandbox("--sandbox-apply", "d/n"))
		b.same("a part", b.must(b.host("cd code/p; cat d/a d/n/n; ls d/e")), "A\nn\nc")
		b.must(b.inside("rm -r d"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the whole", b.must(b.host("ls code/p")), "go.mod")
	})
}

// TestApplyLinked changes files that have other names outside of the project: these
// stay as they are.
func TestApplyLinked(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.host("umask 077; mkdir names; cd code/p; for f in mode text gone; do echo $f >~/names/$f; ln ~/names/$f $f; done"))
		b.must(b.inside("chmod 0755 mode; echo new >>text; rm gone"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cd code/p; cat mode text; stat -c %a mode; ls")), "mode\ntext\nnew\n755\ngo.mod\nmode\ntext")
		b.same("the other names", b.must(b.host("cd names; cat *; stat -c %a *")), "gone\nmode\ntext\n600\n600\n600")
	})
}

// TestApplyGitLink: a link at the top of the repository is not taken over, as git would write
// through it to any file of the host's; one in the project is.
func TestApplyGitLink(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.put("file", "mine\n")
		b.must(b.host("cd code/p && git add . && git -c user.name=x -c user.email=x@example.org commit -qm first"))
		b.must(b.inside("ln -sfT ~/file .git/COMMIT_EDITMSG; ln -sfT ~/file .git/MERGE_RR; ln -s ~/file link; echo x >.git/MERGE_MSG"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 1 || !strings.Contains(r.Stderr, "/.git/COMMIT_EDITMSG: git would write through this link") || !strings.Contains(r.Stderr, "/.git/MERGE_RR: git would write through this link") {
			b.Errorf("%+v", r)
		}
		b.must(b.host("cd code/p && git -c user.name=x -c user.email=x@example.org commit -qm second --allow-empty"))
		b.same("the host", b.must(b.host("cat file code/p/link code/p/.git/MERGE_MSG 2>&1; git -C code/p log --format=%s; readlink code/p/link")), "mine\nmine\ncat: code/p/.git/MERGE_MSG: No such file or directory\nsecond\nfirst\n"+b.Home+"/file")
	})
}

// TestApplyGitIndex: commits are applied, and the index that the command wrote is not, since git trusts
// its index; git outside makes its own. A branch that is called so is applied.
func TestApplyGitIndex(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		const git = "git -c user.name=x -c user.email=x@example.org "
		b.put("code/p/file", "mine\n")
		b.must(b.host("cd code/p && git add . && " + git + "commit -qm first && cp -a ../p ../control"))
		const stray = "git update-index --add --cacheinfo 100755,$(git rev-parse HEAD:file),xgit/hooks/made && sed -i s#xgit/#.git/# .git/index && " +
			`perl -MDigest::SHA=sha1 -0777 -pi -e 'substr($_, -20) = sha1(substr($_, 0, -20))' .git/index`
		b.same("the control", b.must(b.host("cd code/control && "+stray+" && git ls-files | grep git/")), ".git/hooks/made")
		for _, do := range []string{stray, stray + " && git update-index --split-index", "git update-index --split-index", "git init -q sub; git -C sub add ../file 2>/dev/null; cp .git/index sub/.git/"} {
			b.must(b.inside(git + "commit -q --allow-empty -m next; echo more >>file; " + do))
			if r := b.sandbox("--sandbox-apply"); !strings.Contains(r.Stderr, "/.git/index: after a commit inside, run git reset in its work tree") {
				b.Errorf("%s: %+v", do, r)
			}
			b.same("the host's index", b.must(b.host("cd code/p && rm -rf sub/.git/{config,hooks}; ls -d .git/sharedindex.* sub/.git/index 2>/dev/null; git ls-files && git restore . && git log -1 --format=%s")), "file\ngo.mod\nnext")
			b.must(b.sandbox("--sandbox-discard"))
		}
		b.must(b.inside("echo made >made && git add made && git branch index && " + git + "commit -qm second && mkdir -p .git/refs/remotes/origin && cp .git/refs/heads/index .git/refs/remotes/origin/"))
		b.must(b.host("rm -rf code/p/sub"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 0 || strings.Count(r.Stderr, "not applied") != 1 {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cd code/p && git reset -q && git status --short && git ls-files && git log --format=%s -1 && git branch --all --list *index")), "file\ngo.mod\nmade\nsecond\n  index\n  remotes/origin/index")
		b.must(b.host("cd code/p && " + git + "commit -q --allow-empty -m third"))
		b.same("the next run", b.must(b.inside("git status --short; git log -1 --format=%s; git ls-files")), "third\nfile\ngo.mod\nmade")
	})
}

// TestApplyThroughLink: apply never writes through a link on the host, neither where the command made a
// directory of the same name nor where the host replaced a parent directory by a link since.
// Pipes and sockets stay in the layer, and a time in the future does not outdo the host.
func TestApplyThroughLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, at string }{{"project", "code/p"}, {"listed", "data"}} {
		t.Run(c.name, func(t *testing.T) {
			everywhere(t, reviewed+listed, func(b *bench) {
				b.must(b.host("mkdir -p own data; echo mine >own/file; cd " + c.at + "; ln -s ~/own link; mkdir -p d/e; echo old | tee d/e/f f g >/dev/null"))
				before := b.state("own")
				b.must(b.inside("cd ~/" + c.at + `; rm link; mkdir link; echo evil | tee link/file link/new d/e/file f g >/dev/null; touch -d 2035-01-01 link/file f
					mkfifo pipe link/pipe; /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("link/socket")'`))
				b.must(b.host("cd " + c.at + "; mv d was; mkdir d; ln -s ~/own d/e; echo host >f"))
				for at, refused := range [][]string{
					{"/pipe: ", "/link: a directory would replace", "/d/e: ", "/f: the host changed it since"},
					{"/pipe: ", "/link/pipe: ", "/link/socket: ", "/d/e: ", "/f: the host changed it since"},
				} {
					r := b.sandbox("--sandbox-apply", b.Home+"/"+c.at)
					for _, name := range refused {
						if r.Status != 1 || strings.Count(r.Stderr, "not applied") != len(refused) || !strings.Contains(r.Stderr, c.at+name) {
							b.Errorf("%d, %s: %+v", at, name, r)
						}
					}
					before.Same(b.T, b.state("own"))
					b.must(b.host("cd " + c.at + "; [ ! -L link ] || rm link"))
				}
				b.same("the host", b.must(b.host("cd "+c.at+"; cat f g link/new; find . \\( -type p -o -type s \\) -print")), "host\nevil\nevil")
			})
		})
	}
}

// TestApplyGitElsewhere: neither a repository in the project's own place, nor what
// would lead git to another one, is taken over. A repository of the usual kind is,
// but for what is protected in it.
func TestApplyGitElsewhere(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		for _, c := range []struct{ host, inside, says string }{
			{"true", "rm .git/HEAD; mkdir objects refs; echo ref: refs/heads/main >HEAD; cp .git/config config", "/p/HEAD: git would use the project as a repository"},
			{"rm -rf .git", "git init -q --separate-git-dir x .", "/p/.git: git would use a repository elsewhere"},
			{"rm -rf x .git && git init -q --bare .", "cp -r . /tmp/r; cp -r /tmp/r .git", "/p/.git: git would use it as the repository"},
			{"rm -rf x HEAD objects refs config", "git init -q --bare x; ln -s x .git", "/p/.git: git would use a repository elsewhere"},
		} {
			b.must(b.host("cd code/p; " + c.host))
			b.must(b.inside(c.inside + "; git rev-parse --git-dir; touch new"))
			if r := b.sandbox("--sandbox-apply"); r.Status != 1 || !strings.Contains(r.Stderr, c.says) {
				b.Errorf("%s: %+v", c.inside, r)
			}
			b.must(b.host("cd code/p; rm new; ! git status 2>&1"))
			b.must(b.sandbox("--sandbox-discard"))
		}
		b.must(b.inside("git init -q ."))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || strings.Contains(r.Stderr, "/p/.git: ") {
			b.Errorf("%+v", r)
		}
		b.must(b.host("git -C code/p status"))
	})
}

// TestApplyLikeGit has files of the project that are called as git's are: they are
// taken over, and those of a repository within the project are not.
func TestApplyLikeGit(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("mkdir config hooks modules; echo new | tee config/f hooks/f modules/config index >/dev/null; git init -q sub"))
		r := b.sandbox("--sandbox-apply")
		for _, name := range []string{"/sub/.git/config: it is protected", "/sub/.git/hooks: it is protected"} {
			if r.Status != 1 || !strings.Contains(r.Stderr, name) || strings.Count(r.Stderr, "not applied") != 2 {
				b.Errorf("%+v", r)
			}
		}
		b.same("the host", b.must(b.host("cd code/p; cat config/f hooks/f modules/config index; ls -d sub/.git/*")), "new\nnew\nnew\nnew\nsub/.git/HEAD\nsub/.git/branches\nsub/.git/description\nsub/.git/info\nsub/.git/objects\nsub/.git/refs")
	})
}

// TestApplyNames changes both names of one file of the project: that the first is
// one of its own then is no change of the host's. What the host has changed since
// is the control.
func TestApplyNames(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; echo old >a; ln a b; ln a c; echo old >d; ln d e"))
		b.must(b.inside("echo new >a; echo newer >b; rm c; echo new >d"))
		b.must(b.host("echo host >>code/p/e"))
		if r := b.sandbox("--sandbox-apply"); r.Status != 1 || strings.Count(r.Stderr, "not applied") != 1 || !strings.Contains(r.Stderr, "/d:") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cd code/p; cat a b d e; ls")), "new\nnewer\nold\nhost\nold\nhost\na\nb\nd\ne\ngo.mod")
	})
}

// TestApplyListed has the host remove what the command has changed in a view that
// the profile lists, beside a project that is the host's: it does not come back.
func TestApplyListed(t *testing.T) {
	t.Parallel()
	newest(t, "filesystem.overlay = [\"~/data\", \"~/link\", \"~/none?\"]\n", func(b *bench) {
		b.must(b.host("mkdir -p data/d real; ln -s real link; echo old | tee data/a data/d/b data/c real/f"))
		b.must(b.inside("cd ~; echo new | tee data/a data/d/b data/c data/n ~/link/f >/dev/null; echo project >~/code/p/f"))
		b.must(b.host("rm data/a real/f; rm -r data/d"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 1 || strings.Count(r.Stderr, "the host changed it since") != 3 {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("ls data real; cat data/c data/n code/p/f")), "data:\nc\nn\n\nreal:\nnew\nnew\nproject")
	})
}

// TestApplyACL has files that others are named for, of whom an ordinary user's
// review knows nothing: they are taken over, and what gets lost is said.
func TestApplyACL(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		b.must(b.host("cd code/p; mkdir d; echo old | tee d/f f >/dev/null; chmod 664 d/f f"))
		acl := []byte{2, 0, 0, 0}
		for _, entry := range []struct {
			tag, perm uint16
			id        uint32
		}{{1, 6, ^uint32(0)}, {2, 6, 77}, {4, 4, ^uint32(0)}, {16, 6, ^uint32(0)}, {32, 4, ^uint32(0)}} { // the owner, another, the group, the most of these, the rest
			acl = binary.LittleEndian.AppendUint16(acl, entry.tag)
			acl = binary.LittleEndian.AppendUint16(acl, entry.perm)
			acl = binary.LittleEndian.AppendUint32(acl, entry.id)
		}
		for name, attribute := range map[string]string{"f": "access", "d": "default"} {
			if err := unix.Setxattr(filepath.Join(b.Project, name), "system.posix_acl_"+attribute, acl, 0); err != nil {
				b.Skip(err) // the file system has none
			}
		}
		b.must(b.inside("umask 022; echo new | tee -a d/f f d/n >/dev/null"))
		r := b.sandbox("--sandbox-apply")
		if r.Status != 0 || b.As.UID != 0 && !strings.Contains(r.Stderr, "cp: preserving permissions for") {
			b.Errorf("%+v", r)
		}
		b.same("the host", b.must(b.host("cd code/p; cat f d/f d/n")), "old\nnew\nold\nnew\nnew")
	})
}

// TestClosed has a command that takes from its directory what it needs to run in it
// again: the next one runs all the same.
func TestClosed(t *testing.T) {
	t.Parallel()
	everywhere(t, reviewed, func(b *bench) {
		if b.As.UID == 0 {
			b.Skip("to root, all is open")
		}
		for _, mode := range []string{"000", "500", "600"} {
			b.must(b.inside("echo " + mode + " >f; chmod " + mode + " ."))
			b.same("mode "+mode, b.must(b.inside("cat f; echo >>f")), mode)
		}
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cat code/p/f")), "600")
	})
}
