-- Questions about what waits for approval, and their answers.

-- A question of a person to a member, about what waits for approval.
create table approval_questions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  approval_id uuid not null references approvals,
  asked_by uuid not null references people,
  to_user_id uuid not null references people, -- who is asked, a member then
  text text not null,
  inserted_at timestamptz not null default business_now()
);
create index approval_questions_approval on approval_questions (approval_id);
create index approval_questions_to on approval_questions (organization_id, to_user_id); -- attention of a person
call isolate('approval_questions');
grant select, insert on approval_questions to business_finance_app;

-- An answer to a question; it may name files of what waits.
create table approval_answers (
  id uuid primary key,
  organization_id uuid not null references organizations,
  question_id uuid not null references approval_questions,
  answered_by uuid not null references people,
  text text not null,
  file_ids uuid[] not null default '{}', -- attachments of what waits
  inserted_at timestamptz not null default business_now()
);
create index approval_answers_question on approval_answers (question_id);
call isolate('approval_answers');
grant select, insert on approval_answers to business_finance_app;
