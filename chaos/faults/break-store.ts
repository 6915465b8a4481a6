import { StoreThread } from '../../src/store/sqlite/thread/store-thread.ts'

export type StoreCall = (name: string, ...args: unknown[]) => Promise<unknown>

/**
 * For a module that `node --import` loads before the program: routes every later call to the store through `broken`.
 * The program itself is unchanged.
 */
export const breakStore = (broken: (really: StoreCall) => StoreCall): void => {
  const original = asStoreCall(StoreThread.prototype.call)
  Object.defineProperty(StoreThread.prototype, 'call', {
    value(this: StoreThread, name: string, ...args: unknown[]) {
      return broken((...call) => original.apply(this, call))(name, ...args)
    },
  })
}

/** Sound because a call is a name with arguments; the thread does not check which arguments fit which name. */
const asStoreCall = (call: unknown): StoreCall => call as StoreCall
