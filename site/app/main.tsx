import { startApp } from './start-app.tsx'

/** The script of the app's own document. */
void startApp(null)
