import type { Words } from '../words.ts'

export const answer: Words['answer'] = {
  request: 'リクエスト',
  waiting: '最初のトークンを待っています',
  stopped: '停止しました。',
  failedTitle: '回答を受け取れませんでした。',
  brokenTitle: '回答が途中で切れました。',
  speed: '速度',
  tokens: 'トークン',
  ms: (count) => (count < 1000 ? `${count} ms` : `${(count / 1000).toFixed(2)}秒`),
  strip: (count) => `回答のタイミング：${count}トークン`,
}
