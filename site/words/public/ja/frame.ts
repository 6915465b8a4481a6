import type { PublicWords } from '../public-words.ts'

export const frame: PublicWords['frame'] = {
  noScript: 'このページにはJavaScriptが必要です。ドキュメントとAPIには必要ありません。',
}
