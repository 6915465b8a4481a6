export type Address = { url: string; life: number }

/** Gives clients the address of the current server; they wait while there is none. */
export const createGate = () => {
  let opened = Promise.withResolvers<Address>()
  let isOpen = false
  let closing = false
  return {
    address: (): Promise<Address> => opened.promise,
    /** Stops new questions; those with an Idempotency-Key are still retried until answered. */
    isClosing: (): boolean => closing,
    open(address: Address): void {
      isOpen = true
      opened.resolve(address)
    },
    /** Clients that already wait keep waiting for the same opening. */
    shut(): void {
      if (isOpen) opened = Promise.withResolvers<Address>()
      isOpen = false
    },
    beginClosing(): void {
      closing = true
    },
  }
}

export type Gate = ReturnType<typeof createGate>
