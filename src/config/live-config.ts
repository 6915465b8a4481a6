import { type Config, runTimeNames } from './settings.ts'

/** A configuration whose settings that can be changed at run time always have their current values. */
export interface LiveConfig {
  /**
   * Parts read such settings from it when they need them, and keep no copies. All other settings have the values that the
   * server was started with.
   */
  readonly config: Config
  /** What it was started with. */
  readonly started: Config
  replace(next: Config): void
}

export const createLiveConfig = (started: Config): LiveConfig => {
  let current = started
  const live = Object.fromEntries(
    runTimeNames.map((name) => [name, { enumerable: true, configurable: true, get: () => current[name] }]),
  )
  return {
    config: Object.defineProperties({ ...started }, live),
    started,
    replace(next) {
      current = next
    },
  }
}
