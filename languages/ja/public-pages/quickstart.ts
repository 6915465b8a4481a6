import type { PublicWords } from '../../words.ts'

export const quickstart: PublicWords['quickstart'] = {
  description: '何もない状態から最初のトークンまで。Helixを起動し、キーを取得して、呼び出します。',
  lead: '最初のトークンまで3ステップ。',
  leadRest: '3つ目は自分のコードです。',
  startTitle: 'サーバーを起動する',
  startText: 'Linux、Node 20以降、npmが必要です。コンパイルもモデルのダウンロードもありません。',
  startAfter:
    '初回の起動時に「Claim this server」という行が表示されます。そのリンクを開いて、所有者のアカウントを作成してください。',
  startedText: 'サインイン済みなので、このサーバーはすでに動いています。次のステップに進んでください。',
  keyTitle: 'キーを取得する',
  keyText: '登録すると、すぐにキーが発行されます。表示は一度だけです。コードに書かず、環境変数に設定してください。',
  keyLink: '新規登録',
  memberKeyText: 'キーが表示されるのは一度だけです。コードに書かず、環境変数に設定してください。',
  memberKeyLink: 'キーを作成',
  callTitle: '呼び出す',
  callText:
    'OpenAI APIのクライアントがそのまま使えます。ベースURLとキーを設定するだけです。次のコードには、このサーバーのアドレスが入っています。',
  streamTitle: '返ってくるもの',
  streamText:
    'stream: trueを付けると、1トークンごとにサーバー送信イベントが届き、[DONE]で終わります。付けない場合は、1つのJSONオブジェクトが返ります。',
  nextTitle: '次に読むもの',
  nextPlayground: 'プレイグラウンドで入力とパラメーターを試す',
  nextApi: 'APIリファレンスで、すべての項目とレスポンスを調べる',
  nextErrors: 'エラーの意味と、再試行してよいかを確かめる',
  nextCompatibility: '対応状況を項目ごとに見る',
  modelTitle: 'モデルについて',
  modelText:
    'helix-v1はデモ用の小さなモデルです。自然な日本語と英語を書き、簡単な質問には正しく答えますが、自由な質問への回答はよく間違えます。別のモデルを使うには、GGUFファイルを指定して起動します。',
}
