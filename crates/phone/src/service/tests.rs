use crate::testing::{out, phone};
use crate::transport::tests::Host;

fn packet(id: &[u8], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap();
    [id, &length.to_le_bytes(), data].concat()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn outputs_are_kept_apart_and_the_status_comes_last() {
    let mut host = Host::new(&phone());
    let said = host.ask(
        "shell,v2,TERM=xterm,raw:echo out; echo err >&2; cat; exit 3",
        &[packet_frame(0, b"in\n"), packet_frame(4, b"")].concat(),
    );
    let wanted = [
        packet_frame(1, b"out\n"),
        packet_frame(2, b"err\n"),
        packet_frame(1, b"in\n"),
        packet_frame(3, &[3]),
    ];
    assert_eq!(said, wanted.concat());
}

fn packet_frame(kind: u8, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap();
    [&[kind][..], &length.to_le_bytes(), data].concat()
}

#[test]
fn there_is_no_terminal_and_that_is_said() {
    let said = Host::new(&phone()).ask("shell,v2,pty:", b"");
    assert_eq!(said, packet_frame(1, b"there is no terminal on this device; write adb shell COMMAND\r\n"));
}

#[test]
fn files_go_both_ways() {
    let phone = phone();
    let mut host = Host::new(&phone);
    let send = [
        packet(b"SEND", b"/sdcard/new/a.txt,33188"),
        packet(b"DATA", b"hello "),
        packet(b"DATA", b"world"),
        [b"DONE", &1_700_000_000_u32.to_le_bytes()[..]].concat(),
        packet(b"QUIT", b""),
    ];
    assert_eq!(host.ask("sync:", &send.concat()), b"OKAY\0\0\0\0");
    assert_eq!(out(&phone, "cat /sdcard/new/a.txt"), "hello world");
    let node = phone.with(|state| state.world.files.stat("/sdcard/new/a.txt").cloned()).unwrap();
    assert_eq!((node.mode, node.changed), (0o666, 1_700_000_000));
    let get = [packet(b"RECV", b"/sdcard/new/a.txt"), packet(b"QUIT", b"")].concat();
    assert_eq!(host.ask("sync:", &get), [packet(b"DATA", b"hello world"), packet(b"DONE", b"")].concat());
    let get = [packet(b"RCV2", b"/sdcard/new/a.txt"), [b"RCV2", &[0; 4][..]].concat(), packet(b"QUIT", b"")]
        .concat();
    assert_eq!(host.ask("sync:", &get), [packet(b"DATA", b"hello world"), packet(b"DONE", b"")].concat());
    let send = [
        packet(b"SND2", b"/sdcard/b"),
        [b"SND2", &0o100_600_u32.to_le_bytes()[..], &[0; 4]].concat(),
        packet(b"DATA", b"x"),
        packet(b"DONE", b""),
        packet(b"QUIT", b""),
    ];
    assert_eq!(host.ask("sync:", &send.concat()), b"OKAY\0\0\0\0");
    assert_eq!(out(&phone, "cat /sdcard/b"), "x");
}

#[test]
fn the_state_of_files_is_told_in_both_layouts() {
    let mut host = Host::new(&phone());
    let said = host.ask(
        "sync:",
        &[packet(b"STAT", b"/sdcard"), packet(b"STAT", b"/nope"), packet(b"QUIT", b"")].concat(),
    );
    assert_eq!((&said[..4], word(&said, 4), said.len()), (&b"STAT"[..], 0o120_777, 32));
    assert_eq!(&said[20..], [0; 12]);
    let said = host.ask(
        "sync:",
        &[packet(b"STA2", b"/sdcard"), packet(b"LST2", b"/nope"), packet(b"QUIT", b"")].concat(),
    );
    assert_eq!((word(&said, 4), word(&said, 24), said.len()), (0, 0o040_755, 144));
    assert_eq!((&said[72..76], word(&said, 76)), (&b"LST2"[..], 2));
    let said = host.ask("sync:", &[packet(b"LIST", b"/storage"), packet(b"QUIT", b"")].concat());
    assert_eq!((&said[..4], &said[20..28]), (&b"DENT"[..], &b"emulated"[..]));
    assert_eq!(&said[said.len() - 20..said.len() - 16], b"DONE");
    let said = host.ask("sync:", &[packet(b"LIS2", b"/storage"), packet(b"QUIT", b"")].concat());
    assert_eq!((&said[..4], &said[76..84]), (&b"DNT2"[..], &b"emulated"[..]));
}

#[test]
fn what_cannot_be_sent_is_refused_in_words() {
    let mut host = Host::new(&phone());
    let send = |path: &[u8]| [packet(b"SEND", path), packet(b"DATA", b"x"), packet(b"DONE", b"")].concat();
    assert_eq!(
        host.ask("sync:", &send(b"/system/x,33188")),
        packet(b"FAIL", b"couldn't create file: Read-only file system")
    );
    assert_eq!(
        host.ask("sync:", &send(b"/data/no/x,33188")),
        packet(b"FAIL", b"secure_mkdirs failed: Permission denied")
    );
    assert_eq!(
        host.ask("sync:", &packet(b"RECV", b"/nope")),
        packet(b"FAIL", b"open failed: No such file or directory")
    );
    assert_eq!(
        host.ask("sync:", &packet(b"RECV", b"/sdcard")),
        packet(b"FAIL", b"read failed: Is a directory")
    );
    assert_eq!(
        host.ask("sync:", &packet(b"SEND", b"/sdcard/x,no")),
        packet(b"FAIL", b"bad mode in SEND request")
    );
    assert_eq!(host.ask("sync:", &packet(b"WHAT", b"x")), packet(b"FAIL", b"unknown command 0x54414857"));
}

#[test]
fn a_reboot_ends_the_app_and_the_line() {
    let phone = phone();
    out(&phone, "am start -W org.retap.notes");
    let mut host = Host::new(&phone);
    host.ask("reboot:", b"");
    assert!(!phone.with(|state| state.machine().running()));
}
