import { breakStore } from './break-store.ts'

/** Progress is never written down. */
breakStore(
  (really) =>
    async (name, ...args) =>
      name === 'checkpointProgress' ? undefined : really(name, ...args),
)
