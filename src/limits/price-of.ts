import type { Price } from '../prices/price.ts'
import type { TokenRequest } from './limiter-contract.ts'

/** What applies to a request: its own price, or that of its model. Null: none. */
export const priceOf = (
  { price, model }: Pick<TokenRequest, 'price' | 'model'>,
  { findPrice }: { findPrice(model: string): Price | null },
): Price | null => (price === undefined ? findPrice(model) : price)
