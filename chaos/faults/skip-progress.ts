import { breakStore } from './break-store.ts'

/** Never writes progress. */
breakStore(
  (really) =>
    async (name, ...args) =>
      name === 'checkpointProgress' ? undefined : really(name, ...args),
)
