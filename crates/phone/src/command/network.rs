//! `ifconfig` and `ip`: the emulator's usual network.

use crate::shell::{Outcome, Process};

pub(super) fn ifconfig(process: &mut Process<'_>) -> Outcome {
    let name = process.args().first().cloned().unwrap_or_else(|| "wlan0".to_owned());
    if name != "wlan0" || !online(process) {
        return process.fail(1, format!("ifconfig: {name}: No such device"));
    }
    process.put(
        "wlan0     Link encap:Ethernet  HWaddr 02:15:b2:00:00:00\n          inet addr:10.0.2.16  Bcast:10.0.2.255  \
         Mask:255.255.255.0\n          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n",
    )?;
    Ok(0)
}

pub(super) fn ip(process: &mut Process<'_>) -> Outcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).collect();
    match words.first().copied() {
        Some("route" | "r") if online(process) => {
            process.put("10.0.2.0/24 dev wlan0 proto kernel scope link src 10.0.2.16 \n")?;
        }
        Some("addr" | "a" | "address") if online(process) => process.put(
            "2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000\n    \
             link/ether 02:15:b2:00:00:00 brd ff:ff:ff:ff:ff:ff\n    inet 10.0.2.16/24 brd 10.0.2.255 scope global \
             wlan0\n       valid_lft forever preferred_lft forever\n",
        )?,
        _ => {}
    }
    Ok(0)
}

fn online(process: &Process<'_>) -> bool {
    process.phone().with(|state| state.world.online())
}
