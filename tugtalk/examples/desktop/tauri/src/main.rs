//! A desktop application in Tauri: starts `tugtalk host` for itself, and shows its page.
mod host;

use host::Host;
use std::sync::Mutex;
use tauri::{Manager, RunEvent, WebviewUrl, WebviewWindowBuilder};

type RunningHost = Mutex<Option<Host>>;

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
            app.manage(RunningHost::new(Some(host)));
            Ok(())
        })
        .build(tauri::generate_context!())
        .expect("the application cannot start")
        .run(|app, event| {
            // The application ends by an exit, which drops nothing: the host is ended here.
            if let (RunEvent::Exit, Some(host)) = (event, app.try_state::<RunningHost>()) {
                host.lock().unwrap().take();
            }
        });
}
