export type CodeProof = { kind: 'totp'; step: number } | { kind: 'recovery'; hash: Uint8Array }

/** `counter`: what the authenticator counted, which has to be more than it was before. */
export type PasskeyProof = { kind: 'passkey'; id: string; counter: number }

export type FirstProof =
  | { kind: 'password'; hash: string }
  | { kind: 'identity'; issuer: string; subject: string }
  | PasskeyProof

/** Why a session may be opened. Every part is checked again in the transaction that opens it. */
export type SignInProof = {
  first: FirstProof
  /** A passkey asks for a finger or a PIN itself: it is both. */
  second: CodeProof | null
  /** The challenge that this sign-in answers; it is consumed. */
  challengeHash: Uint8Array | null
}
