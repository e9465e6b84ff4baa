mod apps;
mod files;
mod logs;
mod screens;
mod system;
