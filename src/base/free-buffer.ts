/**
 * Gives the memory of bytes back at once: in an idle process no garbage collection runs, so that it would stay allocated, and in a busy
 * one they cause collections that take longer than the work. Only if it is theirs alone: a short text may be part of a
 * buffer that others use.
 */
export const freeBuffer = ({ buffer, byteLength }: ArrayBufferView): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
}
