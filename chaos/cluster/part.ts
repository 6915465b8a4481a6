/** A part of the cluster that can fail. */
export interface Part {
  readonly name: string
  /** It is gone at once, and with it what it had only in memory. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** It does nothing until it is resumed, and nobody is told. */
  pause(): void
  resume(): void
}
