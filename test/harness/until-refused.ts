import { connect } from 'node:net'

/** Resolves once the address refuses connections. */
export const untilRefused = async (url: string): Promise<void> => {
  while (await isOpen(new URL(url)));
}

const isOpen = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
