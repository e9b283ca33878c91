//! What a hostile program tries. Each row is a Python program, because that speaks to the system without a compiler, and
//! what must be seen of it in the world if it succeeds.

use crate::world::Trace;

/// One attempt.
pub(crate) struct Probe {
    /// What is tried.
    pub(crate) name: &'static str,
    /// The program, after [`PRELUDE`].
    pub(crate) program: &'static str,
    /// How one sees that it has worked.
    pub(crate) trace: Trace,
    /// Whether a machine may refuse it even without a sandbox, for example a container or a user who is not root.
    pub(crate) needs_luck: bool,
}

const fn row(name: &'static str, trace: Trace, program: &'static str) -> Probe {
    Probe { name, program, trace, needs_luck: false }
}

const fn lucky(name: &'static str, program: &'static str) -> Probe {
    Probe { name, program, trace: Trace::Done, needs_luck: true }
}

/// What every program begins with. The words in braces are filled in by the world.
pub(crate) const PRELUDE: &str = r#"
import ctypes, os, signal, socket, struct, subprocess, sys, time
T = os.environ['TMPDIR']
VICTIM, OUTSIDE, WORK, HOME, DATA, PID = '{outside}/victim', '{outside}', '{work}', '{home}', '{data}', {pid}
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    result = libc.syscall(*words)
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def own(name):
    open(T + '/' + name, 'w').write('x')
    return T + '/' + name
"#;

/// All of them.
pub(crate) const PROBES: &[Probe] = &[
    // Changing files outside.
    row("write", Trace::Changed, "open(VICTIM, 'w').write('taken')"),
    row("append", Trace::Changed, "open(VICTIM, 'a').write('taken')"),
    row("truncate", Trace::Changed, "os.truncate(VICTIM, 1)"),
    row("rename over", Trace::Changed, "os.rename(own('x'), VICTIM)"),
    row("rename out", Trace::Changed, "os.rename(VICTIM, T + '/got')"),
    row("hard link, then write", Trace::Changed, "os.link(VICTIM, T + '/l'); open(T + '/l', 'w').write('x')"),
    row("hard link into", Trace::Appears, "os.link(own('x'), OUTSIDE + '/new')"),
    row("symbolic link into", Trace::Appears, "os.symlink('/x', OUTSIDE + '/new')"),
    row("write through a link", Trace::Changed, "os.symlink(VICTIM, T + '/l'); open(T + '/l', 'w').write('x')"),
    row("write through /proc/self/root", Trace::Changed, "open('/proc/self/root' + VICTIM, 'w').write('x')"),
    row("write through /proc/self/cwd", Trace::Changed, "os.chdir(OUTSIDE); open('/proc/self/cwd/victim', 'w').write('x')"),
    row("make a file", Trace::Appears, "open(OUTSIDE + '/new', 'w')"),
    row("make a folder", Trace::Appears, "os.mkdir(OUTSIDE + '/new')"),
    row("make a pipe", Trace::Appears, "os.mkfifo(OUTSIDE + '/new')"),
    row("make a socket", Trace::Appears, "call(133, (OUTSIDE + '/new').encode(), 0o140666, 0) if os.uname().machine == 'x86_64' else os.mknod(OUTSIDE + '/new', 0o140666)"),
    row("remove a folder", Trace::Gone("empty"), "os.rmdir(OUTSIDE + '/empty')"),
    row("remove a file", Trace::Gone("victim"), "os.unlink(VICTIM)"),
    // What Landlock does not see.
    row("chmod", Trace::Changed, "os.chmod(VICTIM, 0o777)"),
    row("chmod of an open file", Trace::Changed, "os.fchmod(os.open(VICTIM, os.O_RDONLY), 0o777)"),
    row("chown", Trace::Changed, "os.chown(VICTIM, os.getuid(), os.getgid())"),
    row("chown of an open file", Trace::Changed, "os.fchown(os.open(VICTIM, os.O_RDONLY), os.getuid(), os.getgid())"),
    row("set times", Trace::Changed, "os.utime(VICTIM, (1, 1))"),
    row("set times of an open file", Trace::Changed, "os.utime(os.open(VICTIM, os.O_RDONLY), (1, 1))"),
    row("set times of an open file to now", Trace::Changed, "libc.futimens(os.open(VICTIM, os.O_RDONLY), None)"),
    row("set an attribute", Trace::Changed, "os.setxattr(VICTIM, 'user.x', b'x')"),
    row("write to an inherited descriptor", Trace::Changed, "
for fd in os.listdir('/proc/self/fd'):
    if int(fd) > 2 and os.path.realpath('/proc/self/fd/' + fd) == VICTIM: os.write(int(fd), b'taken')
"),
    // Inside the roots, where a command that only reads may write no more than outside.
    row("change a file of the task", Trace::ChangedAt("work/notes.txt"), "open(WORK + '/notes.txt', 'w').write('x')"),
    row("make a file of the task", Trace::AppearsAt("work/new"), "open(WORK + '/new', 'w')"),
    row("plant a git hook", Trace::AppearsAt("work/.git/hooks/pre-commit"), "open(WORK + '/.git/hooks/pre-commit', 'w').write('x')"),
    row("change git's configuration", Trace::ChangedAt("work/.git/config"), "open(WORK + '/.git/config', 'a').write('x')"),
    row("change a start-up file", Trace::ChangedAt("home/.bashrc"), "open(HOME + '/.bashrc', 'a').write('x')"),
    row("leave shared memory behind", Trace::SharedMemory, "open('/dev/shm/{mark}', 'w').write('x')"),
    // Secrets and artoo's own folder.
    row("read the confirm token", Trace::Says("token-canary"), "print(open(DATA + '/confirm.token').read())"),
    row("read the token through /proc", Trace::Says("token-canary"), "print(open('/proc/self/root' + DATA + '/confirm.token').read())"),
    row("read the token through a link", Trace::Says("token-canary"), "os.symlink(DATA, T + '/l'); print(open(T + '/l/confirm.token').read())"),
    row("read the token by a hard link", Trace::Says("token-canary"), "os.link(DATA + '/confirm.token', T + '/l'); print(open(T + '/l').read())"),
    row("read a journal", Trace::Says("journal-canary"), "print(open(DATA + '/tasks/one.jsonl').read())"),
    row("write into the data folder", Trace::AppearsAt("home/.artoo/new"), "open(DATA + '/new', 'w')"),
    row("read a private key", Trace::Says("key-canary"), "print(open(HOME + '/.ssh/id_ed25519').read())"),
    row("read the environment of another process", Trace::Says("environment-canary"), "print(open('/proc/%d/environ' % PID).read())"),
    row("look through the root of another process", Trace::Says("outside-canary"), "print(open('/proc/%d/root%s' % (PID, VICTIM)).read())"),
    row("look through the folder of another process", Trace::Says("outside-canary"), "print(open('/proc/%d/cwd/victim' % PID).read())"),
    // Other processes.
    row("kill another process", Trace::Killed, "os.kill(PID, signal.SIGKILL)"),
    row("kill all processes of a group", Trace::Killed, "os.killpg(PID, signal.SIGKILL)"),
    row("kill by a handle", Trace::Killed, "signal.pidfd_send_signal(os.pidfd_open(PID), signal.SIGKILL)"),
    row("take another's limits away", Trace::Limited, "import resource; resource.prlimit(PID, resource.RLIMIT_NOFILE, (1, 1))"),
    row("take another's priority", Trace::Limited, "os.setpriority(os.PRIO_PROCESS, PID, 19)"),
    row("hand another to the killer of memory", Trace::Limited, "open('/proc/%d/oom_score_adj' % PID, 'w').write('999')"),
    lucky("trace another process", "
if libc.ptrace(16, PID, 0, 0) == 0: print('done'); os.waitpid(PID, 0x40000000); libc.ptrace(17, PID, 0, 0)
"),
    // Ways out.
    row("connect by TCP", Trace::Connected, "socket.create_connection(('127.0.0.1', {tcp})).send(b'x')"),
    row("send by UDP", Trace::Received, "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))"),
    row("connect to the daemon's socket", Trace::Called, "s = socket.socket(socket.AF_UNIX); s.connect(DATA + '/artoo.sock'); s.send(b'x')"),
    row("connect to an abstract socket", Trace::CalledAbstractly, "s = socket.socket(socket.AF_UNIX); s.connect('\\x00{mark}'); s.send(b'x')"),
    row("point a pair of sockets at another", Trace::Told, "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', '{outside}/datagrams')"),
    row("point a raw pair of sockets at another", Trace::Told, "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW); a.sendto(b'x', '{outside}/datagrams')"),
    row("talk to the kernel by netlink", Trace::Done, "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); print('done')"),
    lucky("open a raw socket", "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print('done')"),
    lucky("set up an io_uring", "call(425, 4, ctypes.create_string_buffer(120)); print('done')"),
    // Other views of the system. 0x10000000 is a new user namespace, 0x20000 a new namespace of mounts.
    lucky("unshare the user namespace", "
if libc.unshare(0x10000000) == 0: print('done')
"),
    lucky("clone a namespace", "
pid = call(56 if os.uname().machine == 'x86_64' else 220, 0x10000000 | 17, 0, 0, 0, 0)
if pid == 0: os._exit(0)
print('done')
"),
    lucky("mount", "
if libc.unshare(0x10020000) == 0 and libc.mount(b'none', OUTSIDE.encode(), b'tmpfs', 0, None) == 0: print('done')
"),
    lucky("change the root", "os.chroot(OUTSIDE); print('done')"),
    lucky("open a file by its handle", "
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); mount = ctypes.c_int()
if libc.name_to_handle_at(-100, (DATA + '/confirm.token').encode(), handle, ctypes.byref(mount), 0): raise OSError()
if libc.open_by_handle_at(os.open('/', os.O_RDONLY), handle, 0) >= 0: print('done')
"),
    lucky("add a key to the kernel's ring", "
if libc.syscall(248 if os.uname().machine == 'x86_64' else 217, b'user', b'{mark}', b'x', 1, -1) > 0: print('done')
"),
    lucky("make shared memory of System V", "
if libc.shmget(0, 4096, 0o600) >= 0: print('done')
"),
    // Taking the whole machine.
    row("take most of the memory", Trace::Done, "
import mmap
size = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') * 6 // 10
mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
print('done')
"),
    row("raise the bound on memory", Trace::Done, "
import resource
resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print('done')
"),
    row("be spared when memory runs out", Trace::Done, "open('/proc/self/oom_score_adj', 'w').write('0'); print('done')"),
    // Outliving the call.
    row("begin a session", Trace::Survives, "subprocess.Popen(['sleep', '{mark}'], start_new_session=True)"),
    row("fork twice", Trace::Survives, "
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2): os.close(fd)
        os.execvp('sleep', ['sleep', '{mark}'])
    os._exit(0)
os.wait(); time.sleep(0.1)
"),
    row("fork like a bomb", Trace::Survives, "
for _ in range(7):
    os.fork()
os.setsid() if os.getpgrp() != os.getpid() else None
for fd in (0, 1, 2): os.close(fd)
os.execvp('sleep', ['sleep', '{mark}'])
"),
];
