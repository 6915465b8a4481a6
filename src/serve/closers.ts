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
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
    },
  }
}
