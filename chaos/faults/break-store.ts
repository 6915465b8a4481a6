import { StoreThread } from '../../src/store/sqlite/thread/store-thread.ts'

export type StoreCall = (name: string, ...args: unknown[]) => Promise<unknown>

/**
 * For a module that `node --import` loads before the program: from then on every call to the store goes through `broken`.
 * The program itself knows nothing of it.
 */
export const breakStore = (broken: (really: StoreCall) => StoreCall): void => {
  const original = asStoreCall(StoreThread.prototype.call)
  Object.defineProperty(StoreThread.prototype, 'call', {
    value(this: StoreThread, name: string, ...args: unknown[]) {
      return broken((...call) => original.apply(this, call))(name, ...args)
    },
  })
}

/** True because a call is a name and its arguments; which arguments fit which name, the thread does not ask. */
const asStoreCall = (call: unknown): StoreCall => call as StoreCall
