import type { Exchange } from '../../http/exchange.ts'

/** Whether unknown fields of a body are refused: the operator or the client wants it so. */
export const isStrict = ({ request }: Pick<Exchange, 'request'>, strictRequests: boolean): boolean =>
  strictRequests || request.headers['x-helix-strict'] === '1' || request.headers['x-helix-strict'] === 'true'
