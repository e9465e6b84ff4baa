//! The phone is started again.

use std::time::Duration;

use crate::phone::Phone;
use crate::transport::HostStream;

/// Ends everything that runs and drops all connections; what is kept stays.
pub(super) fn reboot(phone: &Phone, stream: &HostStream) {
    phone.with(|state| {
        state.end_app("reboot");
        state.world.automators.clear();
        state.note('I', "SystemServer", "Entered the Android system server!");
    });
    // The host waits for the end of the stream, and should see it before the end of the connection.
    stream.close();
    std::thread::sleep(Duration::from_millis(50));
    phone.lines().drop_all();
}
