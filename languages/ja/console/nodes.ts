import type { AdminWords } from '../../words.ts'

export const nodes: AdminWords['nodes'] = {
  lede: (count) => `ノードは${count}台です。`,
  single: 'データベースを共有しているノードはほかにありません。',
  versions: (count) => `${count}種類のバージョンが動作しています。`,
  caption: 'データベースを共有しているサーバー',
  notLoaded: 'ノードの一覧を読み込めませんでした。',
  own: 'このノード',
  engine: 'エンジンノード',
  running: '稼働中',
  silent: '通信なし',
  seen: (duration) => `最終確認 ${duration}前`,
  version: 'バージョン',
  since: (moment) => `起動 ${moment}`,
  engineMemory: (bytes) => `エンジン ${bytes}`,
  busy: 'メインスレッド使用率',
}
