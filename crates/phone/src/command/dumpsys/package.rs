//! `dumpsys package`: what is known of an app.

use super::mark;
use crate::command::Date;
use crate::phone::{Package, State, short_component};
use crate::shell::{CommandOutcome, Process};

pub(super) fn run(process: &Process<'_>, name: Option<&str>) -> CommandOutcome {
    let text = process.phone().with(|state| {
        let packages = &state.world.packages;
        let Some(name) = name else {
            let all: Vec<String> = packages.all().map(|package| details(state, package)).collect();
            return format!("Packages:\n{}", all.concat());
        };
        let missing = || format!("Unable to find package: {name}\n");
        packages.get(name).map_or_else(missing, |package| dump(state, package))
    });
    process.done(text)
}

fn dump(state: &State, package: &Package) -> String {
    let name = &package.name;
    let mut text = String::new();
    if let Some(first) = package.activities.first() {
        let short = short_component(name, first);
        text.push_str(&format!(
            "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n        {} {short} filter \
             {}\n          Action: \"android.intent.action.MAIN\"\n          Category: \
             \"android.intent.category.LAUNCHER\"\n",
            mark(first),
            mark(&short)
        ));
        text.push_str(&views(state, package));
        text.push('\n');
    }
    text.push_str(&format!("Key Set Manager:\n  [{name}]\n      Signing KeySets: 7\n\nPackages:\n"));
    text.push_str(&details(state, package));
    text.push_str(&format!(
        "\nQueries:\n  system apps queryable: false\n  queries via package name:\n  queries via intent:\n\nDexopt \
         state:\n  [{name}]\n    path: {}\n      x86_64: [status=verify] [reason=install]\n\nCompiler stats:\n  [{name}]\n  \
         \x20  base.apk - 6077\n",
        package.path
    ));
    text
}

/// The other activities that may be started from outside; this phone's apps say that they show something.
fn views(state: &State, package: &Package) -> String {
    let app = state.machine().program().app();
    let others = app.activities.iter().skip(1).filter(|activity| activity.exported);
    let others: Vec<String> = others.map(|activity| app.component(activity)).collect();
    if *package.name != *app.package || others.is_empty() {
        return String::new();
    }
    let filter = |name: &String| {
        format!(
            "        {} {name} filter {}\n          Action: \"android.intent.action.VIEW\"\n",
            mark(name),
            mark(&format!("view {name}"))
        )
    };
    format!("      android.intent.action.VIEW:\n{}", others.iter().map(filter).collect::<String>())
}

fn details(state: &State, package: &Package) -> String {
    let Package { name, uid, version_code, version_name, .. } = package;
    let api = state.settings.android.api();
    let folder = crate::files::parent(&package.path);
    let flags = if package.system {
        "[ SYSTEM HAS_CODE ]"
    } else {
        "[ HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]"
    };
    let date = |secs: u64| Date::of(secs * 1_000_000).long();
    let (installed, updated) = (date(package.installed), date(package.updated));
    // The name of the user's number has changed.
    let user = if api >= 33 { "appId" } else { "userId" };
    let mut text = format!(
        "  Package [{name}] ({}):\n    {user}={uid}\n    pkg=Package{{{} {name}}}\n    codePath={folder}\n    \
         resourcePath={folder}\n    legacyNativeLibraryDir={folder}/lib\n    primaryCpuAbi=null\n    \
         secondaryCpuAbi=null\n    versionCode={version_code} minSdk=24 targetSdk={api}\n    \
         versionName={version_name}\n    splits=[base]\n    apkSigningVersion=2\n    flags={flags}\n    \
         dataDir=/data/user/0/{name}\n    supportsScreens=[small, medium, large, xlarge, resizeable, anyDensity]\n    \
         timeStamp={updated}\n",
        mark(name),
        mark(&format!("pkg{name}"))
    );
    if api < 33 {
        text.push_str(&format!("    firstInstallTime={installed}\n"));
    }
    text.push_str(&format!(
        "    lastUpdateTime={updated}\n    signatures=PackageSignatures{{{} version:2, signatures:[{}], past \
         signatures:[]}}\n    installPermissionsFixed=true\n    pkgFlags={flags}\n",
        mark("signatures"),
        mark("signature")
    ));
    if !package.permissions.is_empty() {
        text.push_str("    requested permissions:\n");
        for permission in &package.permissions {
            text.push_str(&format!("      {permission}\n"));
        }
    }
    let running = *name == state.package() && state.machine().running();
    text.push_str(&format!(
        "    User 0: ceDataInode=131235 installed=true hidden=false suspended=false distractionFlags=0 stopped={} \
         notLaunched={} enabled=0 instant=false virtual=false\n",
        !running, !running
    ));
    if api >= 33 {
        text.push_str(&format!("      installReason=0\n      firstInstallTime={installed}\n"));
    }
    text.push_str("      gids=[]\n      runtime permissions:\n");
    for permission in &package.permissions {
        let granted = *name == state.package() && state.machine().granted(permission) == Some(true);
        text.push_str(&format!(
            "        {permission}: granted={granted}, flags=[ USER_SENSITIVE_WHEN_GRANTED]\n"
        ));
    }
    text
}
