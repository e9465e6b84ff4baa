//! `pm install` and `pm uninstall`.

use super::package;
use crate::apk;
use crate::command::options::Options;
use crate::phone::Phone;
use crate::shell::{CommandOutcome, Process};

/// Larger app files are refused before they are read.
const LARGEST: u64 = 1 << 30;

pub(super) fn install(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let (mut size, mut path) = (None, None);
    while let Some(arg) = args.next() {
        match &*arg {
            "-S" => size = args.next().and_then(|size| size.parse::<u64>().ok()),
            "--user" => drop(args.next()),
            option if option.len() > 1 && option.starts_with('-') => {}
            _ => path = Some(arg),
        }
    }
    match content(process, path.as_deref(), size) {
        Ok(file) => add(process, file),
        Err(said) => said,
    }
}

/// An app file of the phone, or so many bytes of the input. Where it cannot be had, that was said.
pub(super) fn content(
    process: &Process<'_>,
    path: Option<&str>,
    size: Option<u64>,
) -> Result<Vec<u8>, CommandOutcome> {
    let free = process.phone().with(|state| state.world.files.free());
    match (path.filter(|path| *path != "-"), size) {
        (Some(path), _) => process.read_file(&process.path(path)).map_err(|_| {
            let advice = "Consider using a file under /data/local/tmp/";
            process.fail(1, format!("Error: Unable to open file: {path}\n{advice}"))
        }),
        (None, Some(size)) if size <= LARGEST.min(free) => {
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            let content = process.streams.input.read_exactly(size);
            if content.len() < size {
                let why = format!("INSTALL_FAILED_ABORTED: {} of {size} bytes came", content.len());
                return Err(refuse(process, &why));
            }
            Ok(content)
        }
        (None, Some(_)) => Err(refuse(process, "INSTALL_FAILED_INSUFFICIENT_STORAGE: too large")),
        (None, None) => Err(process.fail(1, "Error: must either specify a package size or an APK file")),
    }
}

/// Installs what a file holds, or says why it cannot.
pub(super) fn add(process: &Process<'_>, file: Vec<u8>) -> CommandOutcome {
    match installed(process.phone(), file) {
        Ok(()) => process.done("Success\n"),
        Err(why) => refuse(process, &why),
    }
}

fn installed(phone: &Phone, file: Vec<u8>) -> Result<(), String> {
    let manifest = apk::manifest(&file).map_err(|error| error.to_string())?;
    phone.with(|state| {
        let (android, now) = (state.settings.android, state.now_secs());
        if file.len() as u64 > state.world.files.free() {
            return Err("INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to allocate space".into());
        }
        if state.world.packages.get(&manifest.package).is_some_and(|package| package.system) {
            return Err("INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match".into());
        }
        if manifest.package == state.package() {
            // A running app is ended when it is replaced; its data stays.
            state.end_app("installPackageLI");
            let app = state.machine().program().app().clone();
            state.world.packages.install_app(&app, android, now);
        } else {
            state.world.packages.install_other(&manifest, android, now);
        }
        if let Some(path) = state.world.packages.get(&manifest.package).map(|package| package.path.clone()) {
            state.world.files.set_system_file(&path, file, now);
        }
        state.note('I', "PackageManager", &format!("Update package {} code path", manifest.package));
        Ok(())
    })
}

pub(super) fn refuse(process: &Process<'_>, why: &str) -> CommandOutcome {
    process.say(format!("Failure [{why}]"))?;
    Ok(1)
}

pub(super) fn uninstall(process: &Process<'_>, mut args: Options) -> CommandOutcome {
    let name = package(&mut args).unwrap_or_default();
    let known = process.phone().with(|state| state.world.packages.get(&name).map(|package| package.system));
    match known {
        None | Some(true) => return refuse(process, "DELETE_FAILED_INTERNAL_ERROR"),
        Some(false) => {}
    }
    let app = process.phone().with(|state| state.package());
    if name == app
        && let Err(error) = process.device(|state| state.clear_app("uninstall pkg"))?
    {
        return refuse(process, &format!("DELETE_FAILED_INTERNAL_ERROR: {error}"));
    }
    process.phone().with(|state| {
        if let Some(package) = state.world.packages.remove(&name) {
            let folder = crate::files::parent(&package.path);
            state.world.files.remove_system(&folder);
        }
    });
    process.done("Success\n")
}
