import type { Words } from '../../words.ts'

export const answer: Words['answer'] = {
  request: 'リクエスト',
  waiting: '最初のトークンを待っています',
  stopped: '停止しました。',
  failedTitle: '回答を受け取れませんでした。',
  brokenTitle: '回答が途中で切れました。',
  thinking: (seconds) => `思考中… ${seconds}秒`,
  thought: (seconds) => `思考時間：${seconds}秒`,
  speed: '速度',
  tokens: 'トークン',
  copy: '回答をコピー',
  showRaw: '原文を表示',
  showFormatted: '整形して表示',
  code: 'コード',
  table: '表',
  formula: '数式',
  image: (description) => (description === '' ? '画像' : `画像：${description}`),
  taskDone: '完了',
  taskOpen: '未完了',
  strip: (count) => `回答のタイミング：${count}トークン`,
}
