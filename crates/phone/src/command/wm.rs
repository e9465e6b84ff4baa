//! `wm`: the screen's size, density and rotation.

use retap_trace::Orientation;

use crate::shell::{Outcome, Process};

const SIZE: (u32, u32) = (1080, 1920);
const DENSITY: u32 = 420;

pub(super) fn run(process: &mut Process<'_>) -> Outcome {
    let words: Vec<&str> = process.args().iter().map(String::as_str).filter(|word| *word != "-d").collect();
    match words[..] {
        ["size"] => {
            process.say(format!("Physical size: {}x{}", SIZE.0, SIZE.1))?;
            if let Some((width, height)) = process.phone().with(|state| state.world.size) {
                process.say(format!("Override size: {width}x{height}"))?;
            }
            Ok(0)
        }
        ["size", "reset"] => set(process, |world| world.size = None),
        ["size", size] => {
            let sides = size
                .split_once('x')
                .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
            match sides {
                Some(sides) => set(process, |world| world.size = Some(sides)),
                None => process.fail(255, format!("Error: bad size {size}")),
            }
        }
        ["density"] => {
            process.say(format!("Physical density: {DENSITY}"))?;
            if let Some(density) = process.phone().with(|state| state.world.density) {
                process.say(format!("Override density: {density}"))?;
            }
            Ok(0)
        }
        ["density", "reset"] => set(process, |world| world.density = None),
        ["density", density] => match density.parse() {
            Ok(density) => set(process, |world| world.density = Some(density)),
            Err(_) => process.fail(255, format!("Error: bad number {density}")),
        },
        ["user-rotation" | "set-user-rotation", "lock", turned] => {
            let to = if matches!(turned, "1" | "3") { Orientation::Landscape } else { Orientation::Portrait };
            match process.device(|state| state.rotate(to))? {
                Ok(()) => Ok(0),
                Err(error) => process.fail(1, error.to_string()),
            }
        }
        ["user-rotation"] => {
            let turned = process
                .phone()
                .with(|state| u8::from(state.machine().orientation() == Orientation::Landscape));
            process.say(format!("lock {turned}"))?;
            Ok(0)
        }
        [
            "user-rotation"
            | "set-user-rotation"
            | "fixed-to-user-rotation"
            | "overscan"
            | "dismiss-keyguard",
            ..,
        ] => Ok(0),
        _ => {
            process.put("Window manager (window) commands:\n  help\n      Print this help text.\n  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n  density [reset|DENSITY] [-d DISPLAY_ID] [-u UNIQUE_ID]\n")?;
            Ok(255)
        }
    }
}

fn set(process: &Process<'_>, change: impl FnOnce(&mut crate::phone::World)) -> Outcome {
    process.phone().with(|state| change(&mut state.world));
    Ok(0)
}
