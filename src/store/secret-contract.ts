/** Which key encrypts the secrets in a database that is not in the data directory. The key itself is never stored. */
export interface SecretRecords {
  /** Null before the first use. */
  fingerprint(): Promise<string | null>
  /** Stores it unless there is one; resolves to the stored one. */
  agree(fingerprint: string): Promise<string>
  replace(fingerprint: string): Promise<void>
}
