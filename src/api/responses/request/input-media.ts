import type { MediaPart } from '../../../engine/contract.ts'
import type { InputMedia } from '../items.ts'

/** An image or audio of this request as an item has it. */
export const toInputMedia = (media: MediaPart): InputMedia => {
  if (media.type === 'audio') {
    const data = `[audio/${media.format}, ${media.bytes} bytes]`
    return { type: 'input_audio', input_audio: { data, format: media.format }, media }
  }
  const { url, bytes, detail = 'auto' } = media
  const type = url.slice('data:'.length, url.indexOf(';'))
  return {
    type: 'input_image',
    detail,
    file_id: null,
    image_url: bytes === null ? url : `[${type}, ${bytes} bytes]`,
    media,
  }
}
