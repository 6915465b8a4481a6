import type { Words } from '../words.ts'

export const answer: Words['answer'] = {
  request: 'リクエスト',
  waiting: '最初のトークンを待っています',
  stopped: '停止しました。',
  failedTitle: '応答を受け取れませんでした。',
  brokenTitle: '応答が途中で切れました。',
  firstToken: '最初のトークン',
  speed: '速度',
  tokens: 'トークン',
  ms: (count) => (count < 10_000 ? `${count} ms` : `${(count / 1000).toFixed(1)}秒`),
  perSecond: (figure) => `${figure} トークン/秒`,
  strip: (count) => `応答のタイミング：${count}トークン`,
}
