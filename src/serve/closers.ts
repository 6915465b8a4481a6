export interface Closers {
  add(close: () => Promise<void> | void): void
  /** Closes everything in reverse order. */
  closeAll(): Promise<void>
}

export const createClosers = (): Closers => {
  const closers: Parameters<Closers['add']>[0][] = []
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        const closing = close()
        // What closes at once does not delay the next one: the time for running requests begins with the shutdown.
        if (closing !== undefined) await closing
      }
    },
  }
}
