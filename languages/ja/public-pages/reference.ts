import type { PublicWords } from '../../words.ts'

const parameters: Readonly<Record<string, string>> = {
  completion: '保存されたチャット補完のIDです。',
  response: '保存されたレスポンスのIDです。',
  model: 'モデルの名前または別名です。',
  key: 'APIキーのIDです。',
}

export const reference: PublicWords['reference'] = {
  overview: '概要',
  otherAnswer: 'AnthropicのAPIの形式のレスポンス',
  groups: {
    '/docs/api/chat-completions': {
      title: 'チャット補完',
      lead: '会話を送ると、次のメッセージが返ります。',
      description: '会話への回答を生成します。保存された回答の取得、変更、削除もできます。',
    },
    '/docs/api/responses': {
      title: 'レスポンス',
      lead: 'アイテムを送り、アイテムを受け取ります。会話はサーバーに保存できます。',
      description: 'テキストやアイテムからレスポンスを生成し、保存された会話を続け、入力トークンを数えます。',
    },
    '/docs/api/messages': {
      title: 'メッセージ',
      lead: 'AnthropicのAPIと同じ形式の会話です。',
      description: 'AnthropicのAPIと同じ形式で回答を生成し、入力のトークンを数えます。',
    },
    '/docs/api/completions': {
      title: 'テキスト補完',
      lead: 'チャットテンプレートを使わずに、テキストの続きを生成します。',
      description: 'チャットテンプレートを使わずにテキストの続きを生成し、JSONまたはストリームで返します。',
    },
    '/docs/api/embeddings': {
      title: '埋め込み',
      lead: 'テキストをベクトルに変換し、意味の近さを比べられるようにします。',
      description: 'テキストを、比較や検索に使えるベクトルに変換します。',
    },
    '/docs/api/rerank': {
      title: 'リランキングとスコア',
      lead: 'クエリとの関連度が高い順に文書を並べ替えます。',
      description: 'クエリとの関連度で文書を並べ替え、テキストの組のスコアを求めます。',
    },
    '/docs/api/models': {
      title: 'モデル',
      lead: 'キーで利用できるモデルの一覧です。',
      description: 'このサーバーのモデルと、コンテキスト長、機能、料金の一覧です。',
    },
    '/docs/api/tokens': {
      title: 'トークン',
      lead: '何も生成せずに、トークンを数え、変換します。',
      description: 'テキストとトークンを相互に変換し、モデルのトークナイザーの情報を返します。',
    },
    '/docs/api/keys': {
      title: 'キー',
      lead: 'APIキーの作成、制限、ローテーション、失効を行います。',
      description: 'リクエストに使ったキーの情報を返します。管理用キーでは、組織のキーを管理できます。',
    },
    '/docs/api/usage': {
      title: '使用量',
      lead: '組織の使用量を、日、キー、モデルごとに返します。',
      description: '組織のリクエスト数、トークン数、費用を期間ごとに集計します。',
    },
    '/docs/api/other': {
      title: 'その他のエンドポイント',
      lead: 'ほかのグループに属さないエンドポイントです。',
      description: '理由を示して拒否されるモデレーションと、このサーバーのOpenAPI文書です。',
    },
  },
  samples: (call) => `サンプル：${call}`,
  pathParameter: (name) => parameters[name] ?? '',
}
