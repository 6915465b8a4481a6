import type { PublicWords } from '../../words.ts'

export const quickstart: PublicWords['quickstart'] = {
  description: '何もない状態から最初のトークンまで。Helixを起動し、キーを取得して、呼び出します。',
  lead: '最初のトークンまで3ステップ。',
  leadRest: '3つ目は自分のコードです。',
  startTitle: 'サーバーを起動する',
  startText:
    '自分で起動する場合は、Linux、Node 20以降、npmが必要です。コンパイルもモデルのダウンロードもありません。Helixのフォルダーで次を実行します。',
  startAfter:
    '初回の起動時に「Claim this server」という行が表示されます。そのリンクを開いて、所有者のアカウントを作成してください。',
  startedText: 'このページを表示しているサーバーはすでに動いています。それを使う場合は、次のステップに進んでください。',
  keyTitle: 'キーを取得する',
  keyText: '登録すると、すぐにキーが発行されます。表示は一度だけです。コードに書かず、環境変数に設定してください。',
  keyLink: '新規登録',
  memberKeyText: 'キーが表示されるのは一度だけです。コードに書かず、環境変数に設定してください。',
  memberKeyLink: 'キーを作成',
  callTitle: '呼び出す',
  callText:
    'OpenAI APIのクライアントがそのまま使えます。ベースURLとキーを設定するだけです。次のコードには、このサーバーのアドレスが入っています。',
  installText: 'curlだけで試せます。プログラムから使う場合は、先に各言語の公式クライアントを追加します。',
  streamTitle: '返ってくるもの',
  streamText:
    '`stream: true`を付けると、回答が生成されるそばからサーバー送信イベントとして届き、`[DONE]`で終わります。付けない場合は1つのJSONオブジェクトが返り、`choices[0].message.content`が回答です。',
  nextTitle: '次に読むもの',
  nextMigration: 'OpenAIやAnthropic向けのコードを移行する',
  nextPlayground: 'プレイグラウンドで入力とパラメーターを試す',
  nextApi: 'APIリファレンスで、すべての項目とレスポンスを調べる',
  nextErrors: 'エラーの意味と、再試行してよいかを確かめる',
  nextTroubleshooting: 'リクエストが失敗する原因を調べる',
  nextCompatibility: '対応状況を項目ごとに見る',
  nextPrograms: 'エージェントにドキュメントを渡す（llms.txtに全ページのMarkdownの一覧があります）',
  modelTitle: 'モデルについて',
  modelText:
    'helix-v1は小さなモデルです。日本語と英語の日常的な質問320問のうち、正しく答えたのは234問で、およそ4問に1問は間違えます。実用には、より大きなモデルを使ってください。次の例では、GGUFファイルを指定して起動します。',
}
