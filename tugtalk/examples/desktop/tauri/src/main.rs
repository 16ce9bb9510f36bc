//! A desktop application in Tauri: starts `tugtalk host` for itself, and shows its page.
mod host;

use host::Host;
use tauri::{Manager, WebviewUrl, WebviewWindowBuilder};

fn main() {
    tauri::Builder::default()
        .setup(|app| {
            let data = app.path().app_data_dir()?.join("host");
            let dir = app.path().document_dir()?;
            let flags = [
                format!("--data={}", data.display()),
                format!("--dir={}", dir.display()),
                // Not every web view leads names under .localhost to this machine.
                "--no-own-name".into(),
            ];
            let host = Host::start("tugtalk", &flags)?;
            WebviewWindowBuilder::new(app, "main", WebviewUrl::External(host.url.parse()?))
                .inner_size(1200.0, 800.0)
                .build()?;
            app.manage(host); // It ends with the application.
            Ok(())
        })
        .run(tauri::generate_context!())
        .expect("the application cannot start");
}
