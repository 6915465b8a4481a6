import { ClientGone, type Exchange } from '../../http/exchange.ts'

/** The socket stops being writable a moment before the connection is reported as closed. */
export const refuseGone = ({ response }: Exchange): void => {
  if (response.socket?.writable !== true) throw new ClientGone()
}
