import type { Words } from '../../words.ts'

export const welcome: Words['welcome'] = {
  head: 'APIキーを発行しました。表示は今回限りです。',
  secretLabel: 'APIキー',
  note: (lastFour) =>
    `Helixが保存するのはハッシュだけで、キーを再表示することはできません。一覧では末尾4文字（${lastFour}）で見分けられます。`,
  codeHead: 'コードから呼び出す',
  codeLabel: '言語',
  environment: '環境変数',
  codeNote: 'コピーした内容にはキー全体が含まれます。',
  liveHead: '回答を見る',
  run: 'ここで試す',
  runAgain: 'もう一度試す',
  question: '日本で一番高い山は何ですか。',
  before: '回答が1トークンずつここに表示されます。',
  notCopied: 'キーはまだコピーされていません。',
  copied: 'キーをコピーしました。安全な場所に保管してください。',
  goOn: 'コンソールへ進む',
  goneHead: 'キーの表示は一度限りです。',
  goneText:
    'サーバーにはハッシュしか残らないため、同じキーをもう一度表示することはできません。コピー済みのキーはそのまま使えます。コピーしていない場合は、ここで新しいキーを作成し、古いキーは一覧で失効させてください。',
  createAnother: '新しいキーを作成',
  anotherName: '新しいキー',
}
