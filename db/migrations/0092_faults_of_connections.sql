-- A stand-in may have any name of a connection, and so may its faults.
alter table sandbox_faults drop constraint sandbox_faults_partner_check;
