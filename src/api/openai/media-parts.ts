import { nullable, object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import { readAudio } from '../generation/request/media/read-media.ts'
import { mediaPart, under } from '../generation/request/media/unread-part.ts'
import { ignored } from '../generation/request/read-fields.ts'

export const imageDetail = optional(nullable(oneOf('auto', 'low', 'high', 'original')))

const audio = object({ data: string(), format: oneOf('wav', 'mp3') })
/** The same in chat completions and responses. */
export const audioPart = mediaPart(
  'input_audio',
  object({ type: oneOf('input_audio'), input_audio: audio, cache_control: optional(ignored) }),
  ({ input_audio: { data, format } }) => under('input_audio', () => under('data', () => readAudio(data, format))),
)
