//! Listening: hosts connect to the daemon's port, people and tools to the console's.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::console;
use crate::phone::Phone;
use crate::transport::{HangUp, PacketWire, attend};

/// How long a notice to an adb server may take.
const NOTICE: Duration = Duration::from_secs(5);
/// How often a server looks whether its phone was stopped.
const GLANCE: Duration = Duration::from_millis(25);

/// How many such glances lie between two notices.
const GLANCES_A_NOTICE: u32 = 20;
/// Callers on one port at a time.
const MOST_TALKING: usize = 64;

/// A phone that listens. It goes on until it is stopped.
#[derive(Debug)]
pub struct Server {
    phone: Phone,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Serves a phone on a port for hosts, and, where one is given, on a port for the console.
    pub fn start(phone: &Phone, adb: TcpListener, console: Option<TcpListener>) -> io::Result<Self> {
        let port = adb.local_addr()?.port();
        let mut threads = vec![listen(phone.clone(), adb, "adb", |phone, stream| talk(&phone, stream))?];
        if let Some(listener) = console {
            threads.push(listen(phone.clone(), listener, "console", |phone, stream| {
                console::attend(&phone, stream);
            })?);
        }
        if let Some(server) = phone.settings().adb_server {
            threads.push(keep_announced(phone.clone(), server, port)?);
        }
        Ok(Self { phone: phone.clone(), threads })
    }

    pub fn phone(&self) -> &Phone {
        &self.phone
    }

    /// Waits until the phone is stopped: by somebody else, or by `kill` on the console.
    pub fn wait(self) {
        for thread in self.threads {
            // A thread that panicked has nothing more to do either.
            let _ = thread.join();
        }
    }

    /// Stops the phone and waits for that.
    pub fn stop(self) {
        self.phone.stop();
        self.wait();
    }
}

impl Phone {
    /// Talks to a host over any line, until it hangs up: a serial port, say. `hang_up` must end both directions.
    pub fn serve_line(
        &self,
        mut reader: impl Read,
        writer: impl Write + Send + 'static,
        hang_up: impl Fn() + Send + Sync + 'static,
    ) {
        let hang_up: HangUp = Box::new(hang_up);
        attend(self, &mut reader, PacketWire::new(Box::new(writer), hang_up));
    }
}

/// Tells an adb server that an emulator listens on this port. The server connects by itself, and calls it
/// `emulator-N`, where N is the port below.
pub fn announce(server: SocketAddr, adb_port: u16) -> io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&server, NOTICE)?;
    stream.set_write_timeout(Some(NOTICE))?;
    let request = format!("host:emulator:{adb_port}");
    write!(stream, "{:04x}{request}", request.len())?;
    stream.flush()
}

/// Announces a phone as long as nobody is connected: when the server starts late, and when the phone was offline.
fn keep_announced(phone: Phone, server: SocketAddr, port: u16) -> io::Result<JoinHandle<()>> {
    let announce = move || {
        let mut glances = 0_u32;
        while !phone.is_stopped() {
            if glances.is_multiple_of(GLANCES_A_NOTICE) && phone.lines().is_empty() && phone.knock() {
                // A server that is not there yet is told later.
                let _ = announce(server, port);
            }
            glances = glances.wrapping_add(1);
            thread::sleep(GLANCE);
        }
    };
    thread::Builder::new().name("announce".into()).spawn(announce)
}

fn listen(
    phone: Phone,
    listener: TcpListener,
    name: &str,
    talk: fn(Phone, TcpStream),
) -> io::Result<JoinHandle<()>> {
    listener.set_nonblocking(true)?;
    let talking = Arc::new(());
    let accept = move || {
        while !phone.is_stopped() {
            match listener.accept() {
                // Where there are too many, or no thread can be had, the caller is turned away.
                Ok(_) if Arc::strong_count(&talking) > MOST_TALKING => {}
                Ok((stream, _)) => {
                    let (phone, place) = (phone.clone(), talking.clone());
                    let _ = thread::Builder::new().name("line".into()).spawn(move || {
                        talk(phone, stream);
                        drop(place);
                    });
                }
                // Nobody calls, or somebody has hung up already.
                Err(_) => thread::sleep(GLANCE),
            }
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(accept)
}

fn talk(phone: &Phone, stream: TcpStream) {
    // A phone that is offline does not answer.
    if !phone.knock() || stream.set_nonblocking(false).is_err() {
        return;
    }
    let _ = stream.set_nodelay(true);
    let (Ok(writer), Ok(line)) = (stream.try_clone(), stream.try_clone()) else { return };
    phone.serve_line(stream, writer, move || {
        // A line that is down is down.
        let _ = line.shutdown(Shutdown::Both);
    });
}
