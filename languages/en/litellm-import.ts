import { type OmissionCode, omissionReasons } from '../../src/upstreams/litellm/omission-reasons.ts'

const reasons: Readonly<Record<OmissionCode, string>> = omissionReasons

/** Why something of a LiteLLM configuration is not taken over, by the code of the reason; `{value}` is what it is about. Loaded with the result only. */
export const words = { reasons } as const
