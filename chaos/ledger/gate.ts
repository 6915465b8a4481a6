export type Address = { url: string; life: number }

/** Where the clients find the server of the moment; while there is none they wait. */
export const createGate = () => {
  let opened = Promise.withResolvers<Address>()
  let isOpen = false
  let closing = false
  return {
    address: (): Promise<Address> => opened.promise,
    /** No new questions: those with an Idempotency-Key are still asked until they are answered. */
    isClosing: (): boolean => closing,
    open(address: Address): void {
      isOpen = true
      opened.resolve(address)
    },
    /** Those who wait already go on waiting for the same opening. */
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
