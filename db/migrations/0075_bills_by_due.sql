-- Bills are listed by due date, those without one last: services/bills/due.ts has the same expression.

create index bills_by_due on bills (organization_id, (coalesce(due_date, 'infinity'::date)), id);
